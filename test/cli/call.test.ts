import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawbridge, fixture, homeFolder, processesOf, start } from "./command.ts";
import { fixtureServer, projectFolder } from "./project.ts";

const home = homeFolder();
const server = ["--server", fixture("plain")];
const call = (...words: string[]) => drawbridge(["call", ...words, ...server], home);

test("a tool is called as it was typed: in words, or as one JSON object", async () => {
  const answer = "read_note: a.txt says hello\n";
  expect(await call("notes", "read_note", "path=a.txt")).toMatchObject({ code: 0, stdout: answer });
  expect(await call("notes", "read_note", '{"path":"a.txt"}')).toMatchObject({ code: 0, stdout: answer });
  const json = await call("notes", "read_note", "path=a.txt", "--json");
  expect(JSON.parse(json.stdout)).toEqual({
    content: [{ type: "text", text: "read_note: a.txt says hello" }],
    isError: false,
  });
});

test("a slip is named before anything is sent, with what was meant", async () => {
  const slips: [string[], string][] = [
    [["note", "read_note"], 'Did you mean "notes"?'],
    [["notes", "read_nte"], 'Did you mean "read_note"?'],
    [["notes", "read_note"], "needs path (string)"],
    [["notes", "read_note", "path=@no-such-file"], "@no-such-file cannot be read"],
  ];
  await Promise.all(
    slips.map(async ([words, said]) => {
      const { code, stdout, stderr } = await call(...words);
      expect(stderr).toContain(said);
      expect([code, stdout]).toEqual([2, ""]);
    }),
  );
});

test("the call is recorded, and a rule that denies holds", async () => {
  const own = homeFolder();
  const folder = projectFolder({});
  const file = join(folder, "mine.json");
  writeFileSync(
    file,
    JSON.stringify({ mcpServers: { notes: fixtureServer() }, policy: { rules: ["deny notes/delete_note"] } }),
  );
  const argv = ["call", "notes", "delete_note", "path=a.txt", "--config", file];
  const { code, stdout } = await drawbridge(argv, own, folder);
  expect(stdout).not.toContain("says hello");
  expect(code).toBe(1);
  const logs = join(own, "state/audit");
  const [log = ""] = readdirSync(logs).filter((name) => name.endsWith(".jsonl"));
  expect(readFileSync(join(logs, log), "utf8")).toContain('"kind":"call_denied"');
});

test("only the one server is started, and none is left", async () => {
  const file = join(projectFolder({}), "mine.json");
  writeFileSync(
    file,
    JSON.stringify({ mcpServers: { notes: fixtureServer(), gone: fixtureServer("exits") } }),
  );
  const own = homeFolder();
  const argv = ["call", "notes", "read_note", "path=a", "--config", file];
  const { code, stderr } = await drawbridge(argv, own);
  expect(stderr).not.toContain("gone");
  expect(code).toBe(0);
  expect(processesOf(own)).toEqual([]);
});

test("a server that is down is told with its last words, with exit code 3", async () => {
  const { code, stderr } = await drawbridge(
    ["call", "notes", "read_note", "path=a", "--server", fixture("exits")],
    home,
  );
  expect(stderr).toContain("\n  | fixture: the folder to serve is missing");
  expect(code).toBe(3);
});

test("what a tool answers cannot steer the terminal", async () => {
  const { stdout } = await drawbridge(
    ["call", "notes", "read_note", "path=a", "--server", fixture("hostile")],
    home,
  );
  expect(stdout).toContain("\\u001b]52;");
  expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
});

const hanging = ["call", "notes", "read_note", "path=a", "--server", fixture("hangs")];

test("a call that takes longer than --timeout ends as an error", async () => {
  const { code, stdout, stderr } = await drawbridge([...hanging, "--timeout", "200ms"], home);
  expect(stdout).toContain("Timed out");
  // The tool did not answer.
  expect(stderr).toContain("✗ The call ended with an error.");
  expect(code).toBe(1);
});

test("an interrupted call stops its server and says so with its exit code", async () => {
  const own = homeFolder();
  const { child, finished, saw } = start(hanging, own);
  await saw('→ notes/read_note {"path":"a"}');
  child.kill("SIGINT");
  expect((await finished).code).toBe(130);
  expect(processesOf(own)).toEqual([]);
});

test("a server is named as its id is shown, too, and an id that is no plain word stands in quotes", async () => {
  const folder = projectFolder({ "x\ny": fixtureServer(), "": fixtureServer(), plain: fixtureServer() });
  const own = homeFolder();
  await drawbridge(["trust", "x\\ny", "--yes"], own, folder);
  const answered = await drawbridge(["call", "x\\ny", "read_note", "path=a.txt"], own, folder);
  expect(answered).toMatchObject({ code: 0, stdout: "read_note: a.txt says hello\n" });
  const { stderr } = await drawbridge(["call", "nowhere", "read_note"], own, folder);
  expect(stderr).toContain('There are: "", plain, "x\\\\ny".');
});
