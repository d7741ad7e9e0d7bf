import { expect, test } from "vitest";
import { drawbridge, fixture, homeFolder } from "./command.ts";

const home = homeFolder();
const question = 'Read the note "a.txt"';

test("a command that does not exist is named, with exit code 3", async () => {
  const { code, stdout, stderr } = await drawbridge(
    [question, "--server", "notes=no-such-command-here"],
    home,
  );
  expect(stderr).toMatch(/server notes: .*no-such-command-here/);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stdout).toBe("");
  expect(code).toBe(3);
});

test("a server that exits at once is told with its exit code and its last words", async () => {
  const { code, stderr } = await drawbridge([question, "--server", fixture("exits")], home);
  expect(stderr).toMatch(/7/);
  expect(stderr).toContain("the folder to serve is missing");
  expect(code).toBe(3);
});

test("a server that speaks no MCP is told as that", async () => {
  const { code, stderr } = await drawbridge(["tools", "--server", fixture("garbage-exits")], home);
  expect(stderr).toContain("✗ server notes: ");
  expect(code).toBe(3);
});

test("tools lists what the servers that work have, and still fails for the one that does not", async () => {
  const argv = ["tools", "--server", fixture("plain"), "--server", "gone=no-such-command-here", "--json"];
  const { code, stdout } = await drawbridge(argv, home);
  const listed = JSON.parse(stdout);
  expect(listed.tools.map((tool: { tool: string }) => tool.tool)).toEqual(["delete_note", "read_note"]);
  expect(listed.servers.map((server: { state: string }) => server.state).sort()).toEqual(["failed", "ready"]);
  expect(code).toBe(3);
});
