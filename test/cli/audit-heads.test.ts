import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { chainLine } from "../../src/util/hash-chain.ts";
import { drawbridge, fixture, homeFolder } from "./command.ts";

const home = homeFolder();
const audit = (...words: string[]) => drawbridge(["audit", ...words], home);
const key = join(home, "key.pem");
const publicKey = join(home, "key.pub");
const call = () =>
  drawbridge(["call", "notes", "read_note", "path=b.txt", "--server", fixture("plain")], home);

beforeAll(async () => {
  const made = await audit("keygen", key);
  writeFileSync(publicKey, made.stdout);
  writeFileSync(join(home, "drawbridge.json"), JSON.stringify({ audit: { sign: "key.pem" } }));
});

test("a key is made once, for its owner alone, and its public half is printed", async () => {
  expect(readFileSync(publicKey, "utf8")).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  expect(statSync(key).mode & 0o077).toBe(0);
  expect(readFileSync(key, "utf8")).toContain("PRIVATE KEY");
  const again = await audit("keygen", key);
  expect(again).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("EEXIST") });
});

test("heads that were kept and a public key find what verify alone does not", async () => {
  expect((await audit("head")).stderr).toContain("There is no audit log yet.");
  await drawbridge(
    [
      "call",
      "notes",
      "read_note",
      "path=b.txt",
      "--server",
      fixture("plain"),
      "--config",
      join(home, "drawbridge.json"),
    ],
    home,
  );
  const kept = join(home, "kept.jsonl");
  const head = await audit("head");
  writeFileSync(kept, head.stdout);
  expect(JSON.parse(head.stdout)).toEqual({
    file: expect.any(String),
    seq: expect.any(Number),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    sig: expect.any(String),
  });
  const checked = ["--against", kept, "--public-key", publicKey];
  expect(await audit("verify", ...checked)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("unchanged"),
  });
  // The last record is taken away, and the head set back: what the owner of the account can do.
  const audits = join(home, "state/audit");
  const [name = ""] = readdirSync(audits).filter((file) => file.endsWith(".jsonl"));
  const lines = readFileSync(join(audits, name), "utf8").split("\n").slice(0, -2);
  writeFileSync(join(audits, name), `${lines.join("\n")}\n`);
  const { seq, hash } = JSON.parse(lines.at(-1) ?? "");
  const [heads = ""] = readdirSync(join(audits, "heads"));
  const forged = JSON.stringify({ file: name.slice(0, -".jsonl".length), seq, hash });
  writeFileSync(join(audits, "heads", heads), `${forged}\n`);
  expect((await audit("verify")).code).toBe(0);
  const byCopy = await audit("verify", "--against", kept);
  expect(byCopy).toMatchObject({ code: 1, stdout: expect.stringContaining("The kept head names record") });
  const byKey = await audit("verify", "--public-key", publicKey);
  expect(byKey).toMatchObject({ code: 1, stdout: expect.stringContaining("not signed") });
});

test("a direct call tells that the log before it was changed, and calls all the same", async () => {
  const damaged = homeFolder();
  const read = () =>
    drawbridge(["call", "notes", "read_note", "path=b.txt", "--server", fixture("plain")], damaged);
  await read();
  const audits = join(damaged, "state/audit");
  const [name = ""] = readdirSync(audits).filter((file) => file.endsWith(".jsonl"));
  writeFileSync(join(audits, name), readFileSync(join(audits, name), "utf8").replace("b.txt", "c.txt"));
  const { code, stderr } = await read();
  expect(code).toBe(0);
  expect(stderr).toMatch(/! The audit log .* is not as it was written, from record \d+ on/);
});

test("what is no copy of heads and no key is refused in words", async () => {
  await call();
  const wrong = await Promise.all([
    audit("verify", "--against", publicKey),
    audit("verify", "--public-key", join(home, "kept.jsonl")),
    audit("verify", "--against", join(home, "none")),
  ]);
  expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(wrong.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining("The kept heads cannot be read"),
    expect.stringContaining("no public key"),
    expect.stringContaining("none cannot be read"),
  ]);
});

test("records that somebody adds are never called unchanged", async () => {
  const home = homeFolder();
  const words = ["call", "notes", "read_note", "path=b.txt", "--server", fixture("plain")];
  await drawbridge(words, home);
  const audits = join(home, "state/audit");
  const [name = ""] = readdirSync(audits).filter((file) => file.endsWith(".jsonl"));
  const path = join(audits, name);
  const written = readFileSync(path, "utf8");
  const { seq, hash } = JSON.parse(written.split("\n").at(-2) ?? "");
  const { line } = chainLine({ seq, hash }, { kind: "run_ended", run: "r", stop: "forged", turns: 1 });
  const verify = () => drawbridge(["audit", "verify"], home);
  writeFileSync(path, `${written}${line}\n`);
  const newest = await verify();
  expect(newest.stdout).toContain(
    "! 5 records in 1 file: unchanged up to the heads, and 1 record behind them.",
  );
  expect(newest.code).toBe(0);
  writeFileSync(path, written);
  await drawbridge(words, home);
  writeFileSync(path, `${written}${line}\n`);
  const older = await verify();
  expect(older.stdout).toContain(
    `✗ ${path} (record ${seq + 1}): One record stands behind record ${seq}, from`,
  );
  expect(older.stdout).not.toContain("unchanged");
  expect(older.code).toBe(1);
});
