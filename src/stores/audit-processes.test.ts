import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { verifyAudit } from "./verify.ts";

const root = resolve(import.meta.dirname, "../..");

/** Appends without end, or a number of groups of entries; prints a line once some are durable. */
const program = `
import { openFileStores } from ${JSON.stringify(join(import.meta.dirname, "file-stores.ts"))};
import { systemClock } from ${JSON.stringify(join(root, "src/util/clock.ts"))};
const [folder, groups] = process.argv.slice(2);
const stores = openFileStores(folder, { clock: systemClock });
const sink = await stores.openAudit("me");
await stores.hashKey();
for (let turns = 0; turns < Number(groups); turns += 1) {
  const entry = { kind: "run_ended", run: "r".repeat(500), stop: "answered", turns };
  const groups = [sink.append(entry), sink.append(entry), sink.append(entry)];
  const refused = (await Promise.allSettled(groups)).find(({ status }) => status === "rejected")?.reason;
  if (refused !== undefined) {
    console.log(JSON.stringify({ turns, code: refused.code, message: refused.message }));
    break;
  }
  if (turns === 9) console.log("durable");
}
const key = Buffer.from(await stores.hashKey()).toString("hex");
await stores.close();
console.log(key);
`;

let built = "";
let folder = "";

// Inside of node_modules, so that the built program finds the packages it imports.
beforeAll(async () => {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  built = mkdtempSync(join(cache, "audit-processes-"));
  const entry = join(built, "entry.ts");
  writeFileSync(entry, program);
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: entry,
      outDir: join(built, "out"),
      rollupOptions: { output: { entryFileNames: "append.mjs" } },
    },
  });
});
afterAll(() => rmSync(built, { recursive: true, force: true }));
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "audit-processes-")), "state");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

interface Appender {
  readonly child: ChildProcess;
  readonly durable: Promise<void>;
  /** Its exit code or signal, and what it printed. */
  readonly ended: Promise<{ readonly end: unknown; readonly lines: readonly string[] }>;
}

function startAppender(groups: number, fileKiB?: number): Appender {
  const program = [process.execPath, join(built, "out/append.mjs"), folder, String(groups)];
  const limited = ["sh", "-c", `ulimit -f ${(fileKiB ?? 0) * 2}; exec "$0" "$@"`, ...program];
  const [command = "", ...args] = fileKiB === undefined ? program : limited;
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  const durable = new Promise<void>((done) => {
    child.stdout.on("data", (text) => {
      output += text;
      done();
    });
  });
  const ended = new Promise<{ end: unknown; lines: readonly string[] }>((done) => {
    child.once("close", (code, signal) => done({ end: signal ?? code, lines: output.trim().split("\n") }));
  });
  return { child, durable, ended };
}

test("processes that write at the same time have a file each, share one key, and the log is good", async () => {
  const ends = await Promise.all([1, 2, 3, 4].map(() => startAppender(50).ended));
  expect(ends.map(({ end }) => end)).toEqual([0, 0, 0, 0]);
  expect(new Set(ends.map(({ lines }) => lines.at(-1))).size).toBe(1);
  const report = await verifyAudit(folder);
  expect(report).toMatchObject({ ok: true, records: 4 * 151 });
  expect(report.files).toHaveLength(4);
});

test("a process killed in the middle of writing leaves a good log, which others continue", async () => {
  for (let round = 1; round <= 3; round += 1) {
    const { child, durable, ended } = startAppender(Number.MAX_SAFE_INTEGER);
    await durable;
    expect(await verifyAudit(folder)).toMatchObject({ ok: true });
    child.kill("SIGKILL");
    expect((await ended).end).toBe("SIGKILL");
    const report = await verifyAudit(folder);
    expect(report).toMatchObject({ ok: true });
    expect(report.files).toHaveLength(round);
    expect(report.records).toBeGreaterThan(round * 30);
  }
  const openings = (await verifyAudit(folder)).files.map(
    ({ path }) => JSON.parse(readFileSync(path, "utf8").split("\n", 1)[0] ?? "").follows,
  );
  expect(openings.filter((follows) => follows === null)).toHaveLength(1);
});

test.skipIf(process.platform === "win32")(
  "a disk that takes a part of a write only stops the log: what was refused is not in it as written",
  async () => {
    const { ended } = startAppender(1_000, 64);
    const { end, lines } = await ended;
    expect(end).toBe(0);
    const refused: { turns: number } = JSON.parse(lines.find((line) => line.startsWith("{")) ?? "{}");
    expect(refused).toMatchObject({ code: "audit_failed", message: expect.stringContaining("EFBIG") });
    const report = await verifyAudit(folder);
    // Of the group that was refused some lines may stand there whole: they are not covered by the head.
    expect(report).toMatchObject({ ok: true, files: [{ note: expect.stringContaining("torn") }] });
    expect(report.records).toBeGreaterThanOrEqual(1 + 3 * refused.turns);
    await startAppender(1).ended;
    expect(await verifyAudit(folder)).toMatchObject({ ok: true, files: [{ ok: true }, { ok: true }] });
  },
);
