import { expect, test } from "vitest";
import { homeFolder, processesOf } from "../cli/command.ts";
import { drawbridge, mainQuestion, servers } from "./command.ts";

const home = homeFolder();
const secret = "hunter2-hunter2-hunter2";

const down: readonly (readonly [name: string, server: string, told: RegExp])[] = [
  ["does not exist", "x=no-such-command-anywhere", /no-such-command-anywhere" was not found on PATH/],
  ["is no program", "x=/etc/passwd", /"\/etc\/passwd" may not be executed/],
  ["cannot find its script", "x=node /no/such/server.mjs", /Cannot find module '\/no\/such\/server\.mjs'/],
  [
    "prints text and ends",
    "x=echo Welcome to the server",
    /wrote 1 line to its standard output that is no MCP message\b/,
  ],
  ["ends without a word", "x=true", /ended before it was ready, with exit code 0/],
  ["is killed", "x=sh -c 'kill -9 $$'", /killed by SIGKILL/],
  [
    "says why on standard error",
    "x=sh -c 'echo no folder given >&2; exit 9'",
    /exit code 9[\s\S]*\| no folder given/,
  ],
  ["is not reachable", "x=http://127.0.0.1:1/mcp", /cannot be reached \(ECONNREFUSED\)/],
];

test.each(down)("a server that %s is told in words, with exit code 3", async (_name, server, told) => {
  const { code, stdout, stderr } = await drawbridge([mainQuestion, "--server", server], { home });
  expect(stderr).toMatch(told);
  expect(stderr.match(/^✗ /gm)).toHaveLength(1);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stdout).toBe("");
  expect(code).toBe(3);
  expect(processesOf(home)).toEqual([]);
});

test("secrets in a server's command and address are not repeated when it fails", async () => {
  const withKey = `a=sh -c 'echo "$@" >&2; exit 1' sh --api-key ${secret} --token=${secret}-too`;
  const withUser = `b=http://ann:${secret}@127.0.0.1:1/mcp?key=${secret}`;
  for (const server of [withKey, withUser]) {
    const { code, stderr } = await drawbridge([mainQuestion, "--server", server], { home });
    expect(stderr).toContain("✗ Server");
    expect(stderr).not.toContain(secret);
    expect(code).toBe(3);
  }
});

const usage: readonly (readonly [argv: readonly string[], told: RegExp])[] = [
  [[""], /No question/],
  [["   \t "], /No question/],
  [["run", "hello", "there"], /put it in quotes/],
  [[mainQuestion, "--server"], /--server needs a value/],
  [[mainQuestion, "--server", "x="], /--server x= has no command/],
  [[mainQuestion, "--server", "=node x"], /no id before =/],
  [[mainQuestion, "--server", "x=ftp://files.example"], /begins with http/],
  [[mainQuestion, "--server", "x=node 'a"], /open quote/],
  [[mainQuestion, "--server", "x=node a", "--server", "x=node b"], /Two servers have the id "x"/],
  [[mainQuestion, "--server", "drawbridge=node a"], /the host's own/],
  [[mainQuestion, "--server", servers.workspace, "--trust", "worksapce"], /Did you mean "workspace"/],
  [[mainQuestion, "--server", servers.workspace, "--allow", "nope/read"], /names no server: "nope"/],
  [[mainQuestion, "--server", servers.workspace, "--allow", "workspace/x y"], /is not valid/],
  [[mainQuestion, "--max-turns", "0"], /whole number/],
  [[mainQuestion, "--model", "gpt-nope"], /There is no model "gpt-nope"/],
  [["tools"], /No server/],
  [["audit", "repair"], /audit verify/],
];

test.each(usage)("%j is a mistake that is told in one line, with exit code 2", async (argv, told) => {
  const { code, stdout, stderr } = await drawbridge(argv, { home });
  expect(stderr).toMatch(told);
  expect(stderr).toMatch(/^drawbridge: [^\n]+\n$/);
  expect(stdout).toBe("");
  expect(code).toBe(2);
  expect(processesOf(home)).toEqual([]);
});
