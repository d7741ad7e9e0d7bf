import { join } from "node:path";
import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/cli/command-line/args.ts";
import { allowRules, serverConfigs, trustedIds } from "../../src/cli/servers.ts";
import { parseCommand, serverIdFromCommand } from "../../src/index.ts";

/** Command lines that are wrong, each in its own way. */
const wrong: readonly (readonly string[])[] = [
  ["a question", "--sever", "x"],
  ["a question", "--zzzzzz"],
  ["-x"],
  ["tols"],
  ["hello"],
  ["audit"],
  ["audit", "verfiy"],
  ["audit", "everything"],
  ["help", "tols"],
  ["run"],
  ["what", "is", "here"],
  ["a question", "--server"],
  ["a question", "--server", "--json"],
  ["a question", "--model="],
  ["a question", "--model", "a", "--model", "b"],
  ["a question", "--json=yes"],
  ["a question", "--json", "--stream-json"],
  ["a question", "--no-store", "--continue"],
  ["a question", "--max-turns", "0"],
  ["a question", "--max-tokens", "many"],
  ["a question", "--max-cost", "free"],
  ["a question", "--timeout", "5d"],
  ["tools", "--max-turns", "3"],
  ["tools", "--jsn"],
  ["paths", "x"],
  ["call"],
  ["call", "files"],
  ["audit", "list", "--decision", "maybe"],
  ["audit", "list", "--limit", "-1"],
  ["audit", "show"],
  ["audit", "verify", "all"],
  ["untrust"],
  ["trust", "a", "b"],
  ["purge"],
  ["purge", "--all", "--older-than", "3d"],
  ["purge", "--older-than", "long"],
  ["completion"],
  ["completion", "fsh"],
];

const reader = { parseCommand, serverIdFromCommand };

/** What is wrong behind the form of the words: servers, rules and trust. */
const wrongSettings: readonly (readonly [string, () => unknown])[] = [
  ["--server fs=", () => serverConfigs(["fs="], reader)],
  ["--server '=node x'", () => serverConfigs(["=node x"], reader)],
  ["--server ftp://files.example/x", () => serverConfigs(["ftp://files.example/x"], reader)],
  ["--server 'https://exa mple'", () => serverConfigs(["https://exa mple"], reader)],
  ["--server 'a=node x' --server 'a=node y'", () => serverConfigs(["a=node x", "a=node y"], reader)],
  ["--server 'node \"x'", () => serverConfigs(['node "x'], reader)],
  ["--allow fs", () => allowRules(["fs"], ["fs"])],
  ["--allow filesytem/x", () => allowRules(["filesytem/x"], ["filesystem"])],
  ["--trust x", () => trustedIds(["x"], [])],
];

function thrownBy(action: () => unknown): string {
  try {
    return `nothing: ${JSON.stringify(action())}`;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

test("every mistake on the command line is told in the words it was told in", async () => {
  const typed = wrong.map((argv) => {
    const parsed = parseCommandLine(argv);
    return [argv.join(" "), parsed.type === "usage" ? parsed.message : `not wrong: ${parsed.type}`] as const;
  });
  const settings = wrongSettings.map(([words, action]) => [words, thrownBy(action)] as const);
  const lines = [...typed, ...settings].map(([words, message]) => `$ drawbridge ${words}\n${message}\n`);
  for (const [words, message] of [...typed, ...settings]) {
    expect([words, message]).toEqual([words, expect.stringMatching(/^[^\n]{10,}$/)]);
    expect(message).not.toMatch(/^not(hing| wrong):/);
  }
  await expect(lines.join("\n")).toMatchFileSnapshot(join(import.meta.dirname, "../golden/errors.txt"));
});
