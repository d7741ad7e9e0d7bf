import { expect, test } from "vitest";
import { drawbridge, homeFolder } from "./command.ts";

const home = homeFolder();

test.each([
  ["an unknown option", ["a question", "--sever", "x"], /Did you mean "--server"\?/],
  ["an unknown command", ["tols"], /Did you mean "drawbridge tools"\?/],
  ["no question", ["run"], /No question\. Example: /],
  ["a number that is none", ["a question", "--max-turns", "many"], /whole number/],
  ["a rule for no server", ["a question", "--allow", "fs/x"], /names no server/],
  [
    "trust in no server",
    ["a question", "--server", "notes=node x", "--trust", "note"],
    /Did you mean "notes"\?/,
  ],
  ["a model that does not exist", ["a question", "--model", "nobody/nothing"], /model/i],
])("%s is one line on standard error and exit code 2", async (_name, argv, message) => {
  const { code, stdout, stderr } = await drawbridge(argv, home);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^drawbridge: [^\n]+\n$/);
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

test("nothing to do without a terminal is exit code 2, and standard error says what there is", async () => {
  const { code, stdout, stderr } = await drawbridge([], home);
  expect(stderr).toMatch(/^Drawbridge: an MCP host/);
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

test("help and version go to standard output", async () => {
  const [help, version] = await Promise.all([drawbridge(["--help"], home), drawbridge(["--version"], home)]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(/Examples\n {2}drawbridge "/);
  expect(version).toMatchObject({ code: 0, stderr: "" });
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("every command has its help with an example", async () => {
  const texts = await Promise.all(
    ["run", "tools", "audit"].map(async (topic) => (await drawbridge([topic, "--help"], home)).stdout),
  );
  for (const text of texts) expect(text).toMatch(/\nExample\n {2}.*drawbridge /);
});
