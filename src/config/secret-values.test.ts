import { expect, test } from "vitest";
import { secretValues } from "./secret-values.ts";

test("of a program every value of its environment is secret, and arguments whose name speaks of a secret", () => {
  const config = {
    command: "x",
    env: { HOST_NAME: "one" },
    args: ["--api-key=two", "TOKEN=three=3", "--path=p"],
  };
  expect(secretValues(config)).toEqual([
    ["HOST_NAME", "one"],
    ["--api-key", "two"],
    ["TOKEN", "three=3"],
  ]);
});

test("an argument that is a bare word, or begins with =, names no secret", () => {
  expect(secretValues({ command: "x", args: ["token", "=token", "--token"] })).toEqual([]);
});

test("of a header its whole value is secret, and what follows the scheme word as well", () => {
  const config = { url: "https://example.com/mcp", headers: { Authorization: "Bearer abc", "X-Key": "def" } };
  expect(secretValues(config)).toEqual([
    ["Authorization", "Bearer abc"],
    ["Authorization", "abc"],
    ["X-Key", "def"],
  ]);
});

test("of a URL the user, the password and the values of its query are secret, and its host and path are not", () => {
  expect(secretValues({ url: "https://me:pw@example.com/mcp?key=k&empty=" })).toEqual([
    ["url user", "me"],
    ["url password", "pw"],
    ["key", "k"],
  ]);
});

const fromArgs = (...args: string[]) => secretValues({ command: "run", args });

test("an argument behind an option that speaks of a secret is one", () => {
  expect(fromArgs("--api-key", "one", "--token=two", "--name", "ann", "--authorization", "three")).toEqual([
    ["--api-key", "one"],
    ["--token", "two"],
    ["--authorization", "three"],
  ]);
});

test("an option is not taken for the value of the one before it, and an author is no secret", () => {
  expect(fromArgs("--token", "--verbose", "--author", "ann", "--secret")).toEqual([]);
});
