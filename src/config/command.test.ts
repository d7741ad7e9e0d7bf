import { expect, test } from "vitest";
import { parseCommand, serverIdFromCommand } from "./command.ts";

test.each([
  ["npx -y some-server", ["npx", "-y", "some-server"]],
  ["node \"my server.mjs\" --name='a b'", ["node", "my server.mjs", "--name=a b"]],
  ['run "" x\\ y "say \\"hi\\""', ["run", "", "x y", 'say "hi"']],
  ["  spaced   out\t\n", ["spaced", "out"]],
])("%s is split into words", (text, words) => {
  expect(parseCommand(text)).toEqual(words);
});

test.each(["", "   ", "say 'hi"])("%j is no command", (text) => {
  expect(() => parseCommand(text)).toThrow(expect.objectContaining({ code: "config_invalid" }));
});

test("an open quote is told by its place, and nothing of the command, which may hold a secret", () => {
  const parse = () => parseCommand("foo --key=sk-live-1 'x");
  expect(parse).toThrow("The command has an open quote ('), its character 21: close it, or write \\'");
});

test.each([
  ["npx -y @scope/server-x@1.2 arg", "server-x"],
  ["npx some-server@latest", "some-server"],
  ["uvx mcp-server-git --repository .", "mcp-server-git"],
  ["node tools/weather/server.mjs", "weather"],
  ["node node_modules/@modelcontextprotocol/server-filesystem/dist/index.js .", "server-filesystem"],
  ["/usr/local/bin/my-server --stdio", "my-server"],
  ["node server.mjs", "server"],
  ["python3 -m thing.py", "thing"],
])("the server of `%s` is called %s", (command, id) => {
  expect(serverIdFromCommand(parseCommand(command))).toBe(id);
});
