import { expect, test } from "vitest";
import { checkServers } from "./servers.ts";

const slugOf = (id: string) => id.toLowerCase();

test("servers come ordered by id, whatever the order of the config", () => {
  const servers = { b: { command: "x" }, a: { url: "https://example.org/mcp" } };
  expect(checkServers(servers, slugOf).map(([id]) => id)).toEqual(["a", "b"]);
});

test.each([
  [{ drawbridge: { command: "x" } }, "the host's own"],
  [{ a: { command: "x" }, A: { command: "y" } }, "the same as that of"],
  [{ a: { command: "" } }, "command is not"],
  [{ a: { command: "x", args: [1] } }, "args is not"],
  [{ a: { command: "x", env: { A: 1 } } }, "env is not"],
  [{ a: { url: "nowhere" } }, "url is not a URL"],
  [{ a: { url: "file:///etc/passwd" } }, "must begin with http"],
  [{ a: { command: "x", url: "https://example.org" } }, "exactly one of"],
  [{ a: {} }, "exactly one of"],
  [{ a: null }, "not an object"],
])("%j is refused in words", (servers, problem) => {
  expect(() => checkServers(servers as never, slugOf)).toThrow(
    expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(problem) }),
  );
});
