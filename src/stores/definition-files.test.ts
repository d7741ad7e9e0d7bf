import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { KeptTool } from "../types/definitions.ts";
import { systemClock } from "../util/clock.ts";
import { createDefinitionFiles } from "./definition-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "definitions-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key = new Uint8Array(32).fill(7);
const of = { principal: "ann", server: "s", configHash: "c" };
const open = (other = key) => createDefinitionFiles(folder, other, systemClock);
const tool = (name: string, description = "x"): KeptTool => ({
  name,
  definitionHash: `hash of ${description}`,
  at: "2026-01-02T00:00:00.000Z",
  definition: { name, description, inputSchema: { type: "object" }, annotations: {} },
});
const fileOf = (kind = "definitions") => {
  const [name = ""] = readdirSync(join(folder, kind));
  return join(folder, kind, name);
};

test("what is kept is read again by the next process, for its owner alone", async () => {
  const kept = { at: "2026-01-02", tools: [tool("a"), tool("__proto__")], pinned: true as const };
  await open().update(of, "seen", () => kept);
  expect(await open().read(of, "seen")).toEqual({ type: "kept", ...kept });
  expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "definitions"))).toHaveLength(1);
});

test("another principal, server, configuration or kind has nothing of it", async () => {
  await open().update(of, "seen", () => ({ at: "x", tools: [tool("a")] }));
  for (const other of [{ principal: "bob" }, { server: "t" }, { configHash: "d" }]) {
    expect(await open().read({ ...of, ...other }, "seen")).toEqual({ type: "none" });
  }
  expect(await open().read(of, "pinned")).toEqual({ type: "none" });
});

test("a changed, foreign, later or open file is unreadable, and not merely absent", async () => {
  const keep = () => open().update(of, "pinned", () => ({ at: "x", tools: [tool("a")] }));
  await keep();
  const path = fileOf("pins");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("hash of x", "hash of y"));
  expect(await open().read(of, "pinned")).toMatchObject({ type: "unreadable", later: false });
  writeFileSync(path, text.replace('"v":1', '"v":2'));
  expect(await open().read(of, "pinned")).toMatchObject({ type: "unreadable", later: true });
  writeFileSync(path, text);
  expect((await open().read(of, "pinned")).type).toBe("kept");
  chmodSync(path, 0o666);
  expect((await open().read(of, "pinned")).type).toBe("unreadable");
});

test("a file of what was seen does not pass for pins", async () => {
  await open().update(of, "seen", () => ({ at: "x", tools: [tool("a")] }));
  await open().update(of, "pinned", () => ({ at: "x", tools: [] }));
  writeFileSync(fileOf("pins"), readFileSync(fileOf()));
  expect((await open().read(of, "pinned")).type).toBe("unreadable");
});

test("a long definition is kept by its hash alone, and so are those behind many", async () => {
  const long = tool("long", "x".repeat(70_000));
  const many = Array.from({ length: 200 }, (_, index) => tool(`t${index}`, "y".repeat(60_000)));
  await open().update(of, "seen", () => ({ at: "x", tools: [long, ...many] }));
  const read = await open().read(of, "seen");
  const kept = read.type === "kept" ? read.tools : [];
  expect(kept[0]).toEqual({ ...long, definition: null });
  expect(kept).toHaveLength(201);
  expect([kept[1]?.definition === null, kept[200]?.definition === null]).toEqual([false, true]);
});

test("several who change the same file at once lose nothing of each other", async () => {
  const stores = [open(), open(), open(), open()];
  await Promise.all(
    stores.flatMap((store, one) =>
      [0, 1, 2].map((two) =>
        store.update(of, "seen", (now) => ({
          at: "x",
          tools: [...(now.type === "kept" ? now.tools : []), tool(`t${one}${two}`)],
        })),
      ),
    ),
  );
  const read = await open().read(of, "seen");
  expect(read.type === "kept" && read.tools.length).toBe(12);
});

test("the oldest of what was seen goes, and pins stay", async () => {
  const store = open();
  for (let index = 0; index < 258; index++) {
    await store.update({ ...of, server: `s${index}` }, "seen", () => ({ at: "x", tools: [] }));
  }
  expect(readdirSync(join(folder, "definitions")).filter((name) => name.endsWith(".json"))).toHaveLength(256);
});

test("a folder that cannot be written is told with its path", async () => {
  writeFileSync(join(folder, "pins"), "");
  const keeping = open().update(of, "pinned", () => ({ at: "x", tools: [] }));
  await expect(keeping).rejects.toMatchObject({
    code: "store_failed",
    message: expect.stringContaining("pins"),
  });
});
