import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { callLines } from "../../src/cli/commands/audit/list.ts";
import { findingLines } from "../../src/cli/commands/audit/show.ts";
import { parseMoment } from "../../src/cli/commands/audit/since.ts";
import type { AuditedCall, AuditRecord } from "../../src/index.ts";
import { drawbridge, fixture, homeFolder } from "./command.ts";

const home = homeFolder();
const audit = (...words: string[]) => drawbridge(["audit", ...words], home);

beforeAll(async () => {
  const server = ["--server", fixture("plain")];
  await drawbridge(['Delete the note "a.txt"', ...server], home);
  await drawbridge(["call", "notes", "read_note", "path=b.txt", ...server], home);
});

test("audit list shows the newest call first, with who decided and how it ended", async () => {
  const { code, stdout } = await audit("list");
  const lines = stdout.split("\n");
  expect(lines[0]).toMatch(/^2\d{3}-.*Z ✓ notes\/read_note \{"path":"b\.txt"\}$/);
  expect(lines[1]).toMatch(/allowed by whoever typed the call; answered after .*; show: call_[0-9a-f]{16}$/);
  expect(lines[2]).toMatch(/- notes\/delete_note .*a\.txt/);
  expect(code).toBe(0);
});

test("the list narrows, says that there is more, and is one JSON document", async () => {
  const [denied, one, none, json] = await Promise.all([
    audit("list", "--decision", "deny"),
    audit("list", "--limit", "1"),
    audit("list", "--server", "other"),
    audit("list", "--json", "--since", "1h"),
  ]);
  expect(denied.stdout).toContain("delete_note");
  expect(denied.stdout).not.toContain("read_note");
  expect(one.stdout).not.toContain("delete_note");
  expect(one.stderr).toContain("--limit N shows more");
  expect(none.stdout).toBe("No such call in the audit log.\n");
  const calls = JSON.parse(json.stdout) as AuditedCall[];
  expect(calls.map(({ decided }) => decided.kind)).toEqual(["call_intended", "call_denied"]);
});

test("audit show tells everything of the call that the list names", async () => {
  const { stdout } = await audit("list", "--limit", "1");
  const id = /show: (\S+)/.exec(stdout)?.[1] ?? "";
  const shown = await audit("show", id);
  for (const said of ["notes__read_note", '"path": "b.txt"', "whoever typed the call", "answered after"]) {
    expect(shown.stdout).toContain(said);
  }
  const { records } = JSON.parse((await audit("show", id, "--json")).stdout);
  expect(records.map(({ entry }: AuditRecord) => entry.kind)).toEqual([
    "call_intended",
    "call_settled",
    "results_returned",
  ]);
  const unknown = await audit("show", "no-such");
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toContain("drawbridge audit list");
});

test("what the list says to show is that very call, also where runs share the ids of calls", async () => {
  await drawbridge(['Delete the note "c.txt"', "--server", fixture("plain")], home);
  const { stdout } = await audit("list");
  const shown = [...stdout.matchAll(/show: (\S+)/g)].map(
    async ([, id = ""]) => (await audit("show", id)).stdout,
  );
  const [newest, typed, first] = await Promise.all(shown);
  expect([newest, typed, first].map((text) => /[abc]\.txt/.exec(text ?? "")?.[0])).toEqual([
    "c.txt",
    "b.txt",
    "a.txt",
  ]);
});

test("a log whose last line is torn is read all the same", async () => {
  const logs = join(home, "state/audit");
  for (const name of readdirSync(logs).filter((one) => one.endsWith(".jsonl"))) {
    appendFileSync(join(logs, name), '{"kind":"call_den');
  }
  expect((await audit("list")).stdout).toContain("read_note");
});

const hostile = "\u001b[2J\u202e";
const decided: AuditedCall["decided"] = {
  kind: "call_denied",
  run: `r${hostile}`,
  turn: 1,
  call: `c${hostile}`,
  server: hostile,
  tool: hostile,
  alias: hostile,
  arguments: { [hostile]: hostile },
  argumentsHash: hostile,
  by: { type: "rule", tier: "user", rule: hostile },
  reason: hostile,
  unasked: true,
  waitedMs: 0,
};

test("nothing in a record can steer the terminal, and a changed record is told", () => {
  const place = { file: "f", seq: 3, at: `2026${hostile}`, principal: hostile, intact: false };
  const call = { ...place, decided, settled: null, returned: null };
  const list = callLines(call, (_colour, text) => text);
  const show = findingLines(
    { principal: hostile, records: [{ ...place, entry: decided }] },
    (_colour, text) => text,
  );
  for (const lines of [list, show]) {
    const text = lines.join("\n");
    expect(text).not.toMatch(/[\u001b\u202e]/);
    expect(text).toContain("\\u001b[2J");
    expect(text).toMatch(/record was changed/);
  }
  expect(list.join()).toContain("show: f:3");
});

test("a call is named by what finds it whatever else is in the log", () => {
  const nameOf = (run: string, call: string) => {
    const place = { file: "f", seq: 3, at: "2026", principal: "ann", intact: true };
    const found = { ...place, decided: { ...decided, run, call }, settled: null, returned: null };
    return /show: (.*)$/.exec(callLines(found, (_colour, text) => text).join("\n"))?.[1];
  };
  expect(nameOf("read_b", "call_1")).toBe("read_b");
  expect(nameOf("call_c", "call_1")).toBe("call_c");
  // Another process may have written a call of the same id at the same time.
  expect(nameOf("run_a", "one")).toBe("f:3");
  expect(nameOf("read b", "call_1")).toBe("f:3");
});

test.each([
  ["30m", "2026-11-30T11:30:00.000Z"],
  ["2h", "2026-11-30T10:00:00.000Z"],
  ["7d", "2026-11-23T12:00:00.000Z"],
  ["2026-11-29", "2026-11-29T00:00:00.000Z"],
  ["2026-11-29T08:30Z", "2026-11-29T08:30:00.000Z"],
])("--since %s is %s", (text, expected) => {
  expect(parseMoment("--since", text, Date.UTC(2026, 10, 30, 12)).toISOString()).toBe(expected);
});

test.each(["", "yesterday", "2026-13-01", "5x", "1e9d"])("--since %j is refused", (text) => {
  expect(() => parseMoment("--since", text, 0)).toThrow(/--since takes/);
});
