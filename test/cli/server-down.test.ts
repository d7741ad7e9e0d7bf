import { expect, test } from "vitest";
import { drawbridge, fixture, homeFolder } from "./command.ts";

const home = homeFolder();
const question = 'Read the note "a.txt"';

test("a command that does not exist is named, with exit code 3", async () => {
  const { code, stdout, stderr } = await drawbridge(
    [question, "--server", "notes=no-such-command-here"],
    home,
  );
  expect(stderr).toMatch(/✗ Server "notes".*no-such-command-here/);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stdout).toBe("");
  expect(code).toBe(3);
});

test("a server that exits at once is told with its exit code and its last words", async () => {
  const { code, stderr } = await drawbridge([question, "--server", fixture("exits")], home);
  expect(stderr).toContain("exit code 7");
  expect(stderr).toContain("\n  | fixture: the folder to serve is missing");
  expect(code).toBe(3);
});

test("a server that speaks no MCP is told as that", async () => {
  const { code, stderr } = await drawbridge(["tools", "--server", fixture("garbage-exits")], home);
  expect(stderr).toMatch(/✗ Server "notes".* no MCP messages/);
  expect(code).toBe(3);
});

test("tools lists what the servers that work have, and still fails for the one that does not", async () => {
  const argv = ["tools", "--server", fixture("plain"), "--server", "gone=no-such-command-here", "--json"];
  const { code, stdout } = await drawbridge(argv, home);
  const listed = JSON.parse(stdout);
  const names = listed.tools.map((tool: { server: string; tool: string }) => `${tool.server}/${tool.tool}`);
  expect(names).toEqual(["drawbridge/read_output", "notes/delete_note", "notes/read_note"]);
  expect(listed.servers.map((server: { state: string }) => server.state).sort()).toEqual(["failed", "ready"]);
  expect(code).toBe(3);
});
