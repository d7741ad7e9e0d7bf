import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { drawbridge, homeFolder } from "./command.ts";
import { fixtureServer, projectFolder } from "./project.ts";

const home = homeFolder();
const folder = projectFolder({});
const userFile = join(home, "config/drawbridge.json");
mkdirSync(join(home, "config"), { recursive: true });
writeFileSync(
  userFile,
  `{
  "mcpServers": { "notes": ${JSON.stringify({ ...fixtureServer(), trust: true, env: { NOTES_TOKEN: "hunter2-hunter2" } })}, "off": { "command": "x", "disabled": true } },
  "policy": {
    "rules": [
      "allow notes/delete_note path=drafts/*",
      "deny notes/delete_note path=keep/*"
    ],
    "shadowRules": ["deny notes/*"]
  }
}`,
);
const policy = (...words: string[]) => drawbridge(["policy", ...words], home, folder);
const explain = (...words: string[]) => policy("explain", "notes", ...words);

let run = { stdout: "", stderr: "", code: null as number | null };
beforeAll(async () => {
  run = await drawbridge(['Read the note "a.txt"'], home, folder);
  await drawbridge(['Delete the note "b.txt"'], home, folder);
});

test("what is tried out is told in one line where it would have decided otherwise", () => {
  const told = run.stderr.split("\n").filter((line) => line.includes("tried out"));
  expect(told).toEqual([
    "! The policy that is tried out would deny notes/read_note, not allow it. The rule `deny notes/*` denies it.",
  ]);
  expect(run.code).toBe(0);
});

test("explain says which rule decides, where it was written, and why the others do not", async () => {
  const { code, stdout } = await explain("delete_note", "path=keep/a");
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    'denied  notes/delete_note {"path":"keep/a"}',
    "  The rule `deny notes/delete_note path=keep/*` denies it.",
  ]);
  expect(stdout).toContain(`deny notes/delete_note path=keep/*\n      decides (user, ${userFile}:6)`);
  expect(stdout).toContain(`path=drafts/*\n      not met: path=drafts/* (user, ${userFile}:5)`);
  expect(code).toBe(0);
});

test("explain takes JSON, an option's rule, and the situation", async () => {
  const [json, headless, flag, flow] = await Promise.all([
    explain("delete_note", '{"path":"drafts/a"}', "--json"),
    explain("delete_note", "path=x", "--headless"),
    explain("delete_note", "path=drafts/a", "--allow", "notes/*"),
    explain("delete_note", "path=drafts/a", "--reads", "private", "--reads", "untrusted"),
  ]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ...{ server: "notes", tool: "delete_note", arguments: { path: "drafts/a" }, decision: "allow" },
    rules: [
      { decides: false, failed: "path=keep/*" },
      { decides: true, origin: { type: "user", line: 5 } },
    ],
  });
  expect(headless.stdout).toContain("denied, as nobody can be asked  notes/delete_note");
  expect(flag.stdout).toContain("allow notes/*\n      matches; another is before it (user, --allow)");
  expect(flow.stdout).toMatch(/^asked {2}notes[\s\S]*\n {2}2\. flow: ask\. /);
  expect(flow.stdout).not.toContain("drawbridge grants list");
});

test("explain says which rule would allow what is asked about, and what the rules that are tried out would do", async () => {
  const [text, json, headless] = await Promise.all([
    explain("delete_note", "path=x"),
    explain("delete_note", "path=x", "--json"),
    explain("delete_note", "path=x", "--headless"),
  ]);
  for (const { stdout } of [text, headless]) {
    expect(stdout).toContain("\n  To allow it, add the rule: allow notes/delete_note path=x\n");
    expect(stdout).toContain(
      "! The policy that is tried out would deny it, not ask it. The rule `deny notes/*` denies it.\n",
    );
  }
  expect(JSON.parse(json.stdout)).toMatchObject({
    suggestedRule: "allow notes/delete_note path=x",
    shadow: { decision: "deny", by: { rule: "deny notes/*" } },
  });
});

test("a known secret that is typed is not shown, with and without the server", async () => {
  const typed = ["delete_note", "path=hunter2-hunter2"];
  const ends = await Promise.all([
    explain(...typed),
    explain(...typed, "--json"),
    explain(...typed, "--offline"),
    explain(...typed, "--offline", "--json"),
  ]);
  for (const { code, stdout, stderr } of ends) {
    expect(stdout).toContain("⟨secret notes NOTES_TOKEN, 15 chars⟩");
    expect(stdout + stderr).not.toContain("hunter2");
    expect(code).toBe(0);
  }
});

test("explain also says that the model does not get the tool at all", async () => {
  const few = { notes: { ...fixtureServer(), tools: ["read_*"] } };
  writeFileSync(join(folder, "few.json"), JSON.stringify({ mcpServers: few }));
  const { stdout } = await explain("delete_note", "path=x", "--config", "few.json");
  expect(stdout).toContain("! The model does not get the tool: left out by the config\n");
});

test("explain without a connection goes by what the last run saw", async () => {
  const [seen, unseen, disabled] = await Promise.all([
    explain("read_note", "path=a", "--offline"),
    explain("other", "--offline"),
    policy("explain", "off", "x", "--offline"),
  ]);
  expect(seen.stdout).toContain("allowed  notes/read_note");
  expect(unseen).toMatchObject({ code: 2, stdout: "" });
  expect(unseen.stderr).toContain("No run has seen a tool notes/other");
  expect(disabled.stderr).toContain("No run has seen a tool off/x");
});

test.each([
  [["explain", "nots", "x"], 'There is no server "nots". There are: notes, off. Did you mean "notes"?'],
  [["explain", "notes", "raed_note"], 'It has: delete_note, read_note. Did you mean "read_note"?'],
  [["explain", "notes", "read_note", '{"path"'], "The arguments are no JSON object"],
  [["explain", "notes", "read_note"], "do not fit its schema"],
  [["explain", "notes", "read_note", "--reads", "all"], "--reads takes private or untrusted, not"],
  [["check", "--rule", "deny"], "The rule `deny` is not valid: behind deny a server and a tool are expected"],
  [["check", "--rules", "none.json"], "--rules none.json: there is no such file."],
  [["check", "--against", "none"], "cannot be read: there is nothing of that name."],
  [["check", "--against", "."], "cannot be read: there is no file *.jsonl in it."],
  [["check", "--against", ".mcp.json"], "it is no audit log."],
  [["check", "--since", "then"], "--since takes 30m, 2h, 7d or a date"],
])("%j is wrong, and says what to do", async (words, said) => {
  const { code, stdout, stderr } = await policy(...words);
  expect(stderr).toContain(said);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

test("check finds nothing under the rules that held, and exits with 0", async () => {
  const { code, stdout } = await policy("check");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "2 calls: 2 as they were, 0 otherwise.\n" });
});

test("check lists what other rules would decide otherwise, and exits with 1", async () => {
  writeFileSync(join(folder, "new.json"), '{ "policy": { "rules": ["deny notes/delete_note"] } }');
  const [more, file] = await Promise.all([
    policy("check", "--rule", "ask notes/read_note"),
    policy("check", "--rules", "new.json", "--json"),
  ]);
  expect(more.stdout).toMatch(
    /^2\S+ \S+Z \? notes\/read_note {2}allow → ask\n {4}The rule `ask notes\/read_note` asks for it\. show: \S+:\d+\n2 calls: 1 as it was, 1 otherwise\.\n$/,
  );
  expect(more.code).toBe(1);
  expect(JSON.parse(file.stdout)).toMatchObject({
    changes: [{ tool: "delete_note", before: "ask", decision: "deny" }],
    ...{ calls: 2, same: 1, changed: 1, undecided: 0 },
  });
  expect(file.code).toBe(1);
  const id = /show: (\S+)/.exec(more.stdout)?.[1] ?? "";
  expect((await drawbridge(["audit", "show", id], home, folder)).stdout).toContain("read_note");
});

test("check tells rules that match nothing: a server that is not there, conditions that exclude each other", async () => {
  const rules = ["--rule", "deny nots/*", "--rule", "allow notes/read_note path=a path=b"];
  const { code, stderr } = await policy("check", ...rules);
  expect(stderr).toBe(
    "! The rule `allow notes/read_note path=a path=b` matches nothing: nothing meets both `path=a` and `path=b`. Where either will do, write two rules.\n! The rule `deny nots/*` names no server of this host and matches nothing.\n",
  );
  expect(code).toBe(0);
});

test("check says what the log does not, and what of it cannot be read", async () => {
  const [file = ""] = readdirSync(join(home, "state/audit")).filter((name) => name.endsWith(".jsonl"));
  const other = projectFolder({});
  const copy = join(other, file);
  writeFileSync(copy, readFileSync(join(home, "state/audit", file)));
  appendFileSync(copy, "no record\n");
  const empty = join(other, "empty.json");
  writeFileSync(empty, "{}");
  const checked = await policy("check", "--against", copy, "--config", empty, "--undecided");
  expect(checked.stdout).toContain("· notes/read_note  allow → undecided");
  expect(checked.stdout).toContain("1 call: 0 as they were, 0 otherwise, 1 undecided");
  expect(checked.stderr).toContain("! 1 line of the log cannot be read.");
  expect(checked.code).toBe(0);
});

test("without a log there is nothing to check", async () => {
  const { code, stdout } = await drawbridge(["policy", "check", "--rule", "deny */*"], homeFolder(), folder);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "No such call in the audit log.\n" });
});
