import { createHmac } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../testing/clock.ts";
import type { GrantBinding } from "../types/grants.ts";
import { createGrantFiles, listGrantFiles } from "./grant-files.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "grants-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key = new Uint8Array(32).fill(7);
const open = (withKey = key) => createGrantFiles(folder, withKey, createTestClock(0));
const definition = { name: "t", description: "d", inputSchema: { type: "object" }, annotations: {} };
const binding: GrantBinding = {
  principal: "ann",
  server: "s/../x",
  tool: "t\n",
  configHash: "c1",
  definitionHash: "d1",
  rule: "",
};
const paths = () => listGrantFiles(folder, key).map(({ path }) => path);

test("a grant is found by other processes, for exactly what it is bound to, in a file for the owner alone", async () => {
  const added = await open().add(binding, definition);
  expect(open().find(binding)).toEqual(added);
  for (const field of Object.keys(binding) as (keyof GrantBinding)[]) {
    expect(open().find({ ...binding, [field]: `${binding[field]}x` })).toBeNull();
  }
  const [path = ""] = paths();
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(open().allowedBefore({ ...binding, definitionHash: "d2" })).toEqual([
    { configHash: "c1", definitionHash: "d1", definition, at: "1970-01-01T00:00:00.000Z" },
  ]);
});

test("two processes that grant at the same time lose nothing of each other", async () => {
  const tools = Array.from({ length: 20 }, (_, index) => ({ ...binding, tool: `t${index}` }));
  await Promise.all(tools.flatMap((one) => [open().add(one, definition), open().add(one, definition)]));
  expect(tools.every((one) => open().find(one) !== null)).toBe(true);
  expect(readdirSync(join(folder, "grants"))).toHaveLength(20);
});

test("a file that was edited, copied to another name or written with another key is no grant", async () => {
  await open().add(binding, definition);
  const [path = ""] = paths();
  const text = readFileSync(path, "utf8");
  for (const edited of [
    text.replace('"definitionHash":"d1"', '"definitionHash":"d2"'),
    text.replace("ann", "bob"),
    text.slice(0, 40),
    "",
    "{}\n\n\n",
    `${text.split("\n")[0]}\n\n`,
  ]) {
    writeFileSync(path, edited);
    expect(open().find(binding)).toBeNull();
    expect(listGrantFiles(folder, key)).toMatchObject([{ grant: null }]);
  }
  writeFileSync(path, text);
  expect(open().find(binding)).not.toBeNull();
  expect(open(new Uint8Array(32)).find(binding)).toBeNull();
  const other = { ...binding, definitionHash: "d2" };
  await open().add(other, definition);
  const copied = paths().find((one) => readFileSync(one, "utf8").includes("d2")) ?? "";
  writeFileSync(copied, text);
  expect(open().find(other)).toBeNull();
});

test("a definition that was edited is not shown as what was allowed", async () => {
  await open().add(binding, definition);
  const [path = ""] = paths();
  writeFileSync(path, readFileSync(path, "utf8").replace('"description":"d"', '"description":"e"'));
  expect(open().allowedBefore(binding)).toMatchObject([{ definition: null }]);
});

test.runIf(process.platform !== "win32")("a link, or a file that others may write, is no grant", async () => {
  await open().add(binding, definition);
  const [path = ""] = paths();
  chmodSync(path, 0o666);
  expect(open().find(binding)).toBeNull();
  chmodSync(path, 0o600);
  const elsewhere = join(folder, "elsewhere.json");
  writeFileSync(elsewhere, readFileSync(path), { mode: 0o600 });
  rmSync(path);
  symlinkSync(elsewhere, path);
  expect(open().find(binding)).toBeNull();
});

test("a store that cannot be read has no grants, and what cannot be kept is told", async () => {
  writeFileSync(join(folder, "grants"), "");
  expect(open().find(binding)).toBeNull();
  expect(open().allowedBefore(binding)).toEqual([]);
  await expect(open().add(binding, definition)).rejects.toMatchObject({ code: "store_failed" });
});

test("a grant of a later version is no grant here, and stays as it is", async () => {
  await open().add(binding, definition);
  const [path = ""] = paths();
  const later = readFileSync(path, "utf8").replace('{"v":1', '{"v":4');
  writeFileSync(path, later);
  expect(open().find(binding)).toBeNull();
  await expect(open().add(binding, definition)).rejects.toThrow("a later version");
  expect(readFileSync(path, "utf8")).toBe(later);
});

test("a grant for the changed tool takes the place of the one before; those of another config or rule stay", async () => {
  await open().add(binding, definition);
  await open().add({ ...binding, configHash: "c2" }, definition);
  await open().add({ ...binding, rule: "ask s/t" }, definition);
  await open().add({ ...binding, definitionHash: "d2" }, definition);
  const kept = listGrantFiles(folder, key).map(
    ({ grant }) => `${grant?.configHash} ${grant?.definitionHash}`,
  );
  expect(kept.sort()).toEqual(["c1 d1", "c1 d2", "c2 d1"]);
  expect(open().find(binding)).toBeNull();
  expect(open().allowedBefore({ ...binding, configHash: "c2", definitionHash: "d9" })[0]?.configHash).toBe(
    "c2",
  );
});

const conditions = [{ type: "under", argument: ["path"], folder: "src" }] as const;
const narrow: GrantBinding = { ...binding, conditions };

test("a grant with conditions is one of its own, in a version that earlier ones take for none", async () => {
  const store = open();
  const whole = await store.add(binding, definition);
  expect(store.conditional?.(binding)).toEqual([]);
  const added = await store.add(narrow, definition);
  expect(added).toEqual({ ...narrow, id: added.id, at: added.at });
  for (const one of [store, open()]) {
    expect(one.find(binding)).toEqual(whole);
    expect(one.find(narrow)).toEqual(added);
    expect(one.conditional?.(binding)).toEqual([added]);
    expect(one.find({ ...narrow, conditions: [{ ...conditions[0], folder: "lib" }] })).toBeNull();
    for (const field of Object.keys(binding) as (keyof GrantBinding)[]) {
      expect(one.conditional?.({ ...binding, [field]: `${binding[field]}x` })).toEqual([]);
    }
  }
  const versions = paths().map((path) => JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "").v);
  expect(versions.sort()).toEqual([1, 3]);
});

test("a grant with conditions that the second version wrote is none, and a new answer takes its place", async () => {
  await open().add(narrow, definition);
  const [path = ""] = paths();
  const [line = "", , kept = ""] = readFileSync(path, "utf8").replace('{"v":3', '{"v":2').split("\n");
  const hash = createHmac("sha256", key).update(`grant record\n${line}`).digest("hex");
  writeFileSync(path, `${line}\n${hash}\n${kept}\n`);
  expect(open().find(narrow)).toBeNull();
  expect(open().conditional?.(binding)).toEqual([]);
  await open().add(narrow, definition);
  expect(open().find(narrow)).not.toBeNull();
});

/** As the first version of the store wrote it. */
const firstVersion = [
  String.raw`{"v":1,"id":"grant_09a09524101f6124c91171d0d0b6d1b9","at":"1970-01-01T00:00:00.000Z","principal":"ann","server":"s/../x","tool":"t\n","configHash":"c1","definitionHash":"d1","rule":"","definition":"3333fc3917efb645dffa4c4c605c42264836841bf7a263421e49ca0f3351ad14"}`,
  "325a3bbc3fc499aae5e75e178d7e85bda15d6429cd67160642efe2f0a6b058d1",
  '{"name":"t","description":"d","inputSchema":{"type":"object"},"annotations":{}}\n',
].join("\n");

test("a file that an earlier version wrote is read, and one without conditions is still written like it", async () => {
  await open().add(binding, definition);
  const [path = ""] = paths();
  expect(readFileSync(path, "utf8")).toBe(firstVersion);
  writeFileSync(path, firstVersion);
  expect(open().find(binding)).toMatchObject({ ...binding, id: "grant_09a09524101f6124c91171d0d0b6d1b9" });
});

test("what is revoked, granted or damaged by another process counts at once, also where it was known", async () => {
  const store = open();
  await store.add(narrow, definition);
  const [path = ""] = paths();
  const text = readFileSync(path, "utf8");
  expect(store.find(narrow)).not.toBeNull();
  expect(store.conditional?.(binding)).toHaveLength(1);
  rmSync(path);
  expect(store.find(narrow)).toBeNull();
  expect(store.conditional?.(binding)).toEqual([]);
  await open().add(narrow, definition);
  expect(store.find(narrow)).not.toBeNull();
  expect(store.conditional?.(binding)).toHaveLength(1);
  writeFileSync(path, text.replace('"folder":"src"', '"folder":"etc"'));
  expect(store.find(narrow)).toBeNull();
});

test("a list that was kept in memory is read again once another process has granted more", async () => {
  const store = open();
  await store.add(narrow, definition);
  const place = join(folder, "grants", readdirSync(join(folder, "grants"))[0] ?? "");
  utimesSync(place, 1000, 1000);
  const list = store.conditional?.(binding);
  expect(store.conditional?.(binding)).toBe(list);
  await open().add({ ...binding, conditions: [{ ...conditions[0], folder: "lib" }] }, definition);
  expect(store.conditional?.(binding)).toHaveLength(2);
});

test("a tool that changed takes its grants with conditions with it, and one more leaves the others alone", async () => {
  const store = open();
  await store.add(narrow, definition);
  await store.add({ ...binding, conditions: [{ ...conditions[0], folder: "lib" }] }, definition);
  expect(store.conditional?.(binding)).toHaveLength(2);
  await store.add({ ...binding, definitionHash: "d2" }, definition);
  expect(paths()).toHaveLength(1);
});

test("whatever a file holds, reading it throws nothing and grants nothing", async () => {
  await open().add(binding, definition);
  const [path = ""] = paths();
  // As long as a hash is, in characters or in bytes.
  const asHash = fc.constantFrom(
    "\u00e9".repeat(64),
    "\u00e9".repeat(32),
    "\ud800".repeat(64),
    "a".repeat(64),
  );
  const line = fc.oneof(fc.string(), fc.json(), asHash, fc.constant('{"v":1}'));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
      writeFileSync(path, lines.join("\n"));
      expect(open().find(binding)).toBeNull();
      expect(open().allowedBefore(binding)).toEqual([]);
    }),
    { numRuns: 60 },
  );
  mkdirSync(join(folder, "grants", "x"), { recursive: true });
  expect(listGrantFiles(folder, key)).toHaveLength(1);
});
