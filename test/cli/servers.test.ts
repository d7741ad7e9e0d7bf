import { expect, test } from "vitest";
import { allowRules, type CommandReader, serverConfigs, trustedIds } from "../../src/cli/servers.ts";
import { closest } from "../../src/util/closest.ts";

const reader: CommandReader = {
  parseCommand: (text) => text.split(" ").filter((word) => word !== "") as [string, ...string[]],
  serverIdFromCommand: (argv) => argv[0] ?? "",
};

test("what is before the first = names the server", () => {
  expect(serverConfigs(["fs=node server.mjs --root=."], reader)).toEqual({
    fs: { type: "stdio", command: "node", args: ["server.mjs", "--root=."] },
  });
});

test("a command whose arguments hold = is not cut there", () => {
  expect(serverConfigs(["node server.mjs --root=."], reader)).toEqual({
    node: { type: "stdio", command: "node", args: ["server.mjs", "--root=."] },
  });
  expect(Object.keys(serverConfigs(["./bin/x=1"], reader))).toEqual(["./bin/x=1"]);
});

test("a URL is an HTTP server named after its host", () => {
  expect(serverConfigs(["https://mcp.example.com/mcp?a=b"], reader)).toEqual({
    "mcp-example-com": { type: "http", url: "https://mcp.example.com/mcp?a=b" },
  });
  expect(serverConfigs(["local=http://127.0.0.1:3000/mcp"], reader)).toEqual({
    local: { type: "http", url: "http://127.0.0.1:3000/mcp" },
  });
});

test("a server without a command, a broken URL and a repeated id are refused", () => {
  expect(() => serverConfigs(["fs="], reader)).toThrow(/fs= has no command/);
  expect(() => serverConfigs(["=node x"], reader)).toThrow(/no id before =/);
  expect(() => serverConfigs(["ftp://files.example/x"], reader)).toThrow(/http:\/\/ or https:\/\//);
  expect(() => serverConfigs(["https://exa mple"], reader)).toThrow(/URL/);
  expect(() => serverConfigs(["node a", "node b"], reader)).toThrow(/Two servers have the id "node"/);
});

test("an id like __proto__ stays an ordinary server", () => {
  const servers = serverConfigs(["__proto__=node x"], reader);
  expect(Object.keys(servers)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(servers)).toBe(Object.prototype);
});

test("--allow becomes a rule, pasted with or without its first word", () => {
  expect(allowRules(["fs/read_*", "allow fs/write path=notes/**", "*/list"], ["fs"])).toEqual([
    "allow fs/read_*",
    "allow fs/write path=notes/**",
    "allow */list",
  ]);
});

test("a rule or trust for a server that is not there is refused with the one that was meant", () => {
  expect(() => allowRules(["filesytem/x"], ["filesystem"])).toThrow(/Did you mean "filesystem"\?/);
  expect(() => allowRules(["fs"], ["fs"])).toThrow(/"server\/tool"/);
  expect(() => trustedIds(["x"], [])).toThrow(/there are none/);
});

test("the closest word is found only when it is close", () => {
  expect(closest("tolos", ["tools", "audit"])).toBe("tools");
  expect(closest("TOOLS", ["tools"])).toBe("tools");
  expect(closest("explain", ["tools", "audit", "run", "help"])).toBeUndefined();
  expect(closest("x".repeat(100_000), ["tools"])).toBeUndefined();
});

test("a launcher without a package is refused: it would read the host's messages as commands", () => {
  expect(() => serverConfigs(["x=npx -y"], reader)).toThrow('--server "npx -y" names no package to start.');
});
