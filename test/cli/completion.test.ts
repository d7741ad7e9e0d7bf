import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { completionScript } from "../../src/cli/command-line/completions.ts";
import { shells } from "../../src/cli/command-line/spec.ts";
import { commands } from "../../src/cli/command-line/table.ts";

/** What bash offers for the last word. */
function offered(...words: string[]): string[] {
  const quoted = ["drawbridge", ...words].map((word) => `'${word}'`).join(" ");
  const script = `${completionScript("bash")}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}
_drawbridge; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

test("bash offers the commands, the second words, the options and the values that are known", () => {
  expect(offered("to")).toEqual(["tools"]);
  expect(offered("audit", "").sort()).toEqual([
    "--help",
    "export",
    "head",
    "keygen",
    "list",
    "show",
    "verify",
  ]);
  expect(offered("tools", "--s")).toEqual(["--server"]);
  expect(offered("audit", "list", "--d")).toEqual(["--decision"]);
  expect(offered("audit", "list", "--decision", "")).toEqual(["allow", "deny"]);
  expect(offered("completion", "")).toEqual(expect.arrayContaining([...shells]));
  expect(offered("a question", "--tra")).toEqual(["--transcript"]);
  expect(offered("--str")).toEqual(["--stream-json"]);
});

test("bash offers files where a file is meant, also with a space in the name, and nothing where nothing is known", () => {
  expect(offered("tools", "--config", "package.j")).toEqual(["package.json"]);
  expect(offered("tools", "--server", "")).toEqual([]);
});

test.each(shells)("the completions of %s know every command and every option", (shell) => {
  const script = completionScript(shell);
  for (const command of commands) {
    for (const word of command.name.split(" ")) expect(script).toContain(word);
    for (const { name } of command.options) {
      expect(script).toContain(shell === "fish" ? `-l ${name} ` : `--${name}`);
    }
  }
});

test("quotes, colons and brackets of the help do not end the words they stand in", () => {
  const zsh = completionScript("zsh").replaceAll("'\\''", "");
  for (const line of zsh.split("\n")) expect((line.match(/'/g) ?? []).length % 2).toBe(0);
  const fish = completionScript("fish").replace(/\\[\\']/g, "");
  for (const line of fish.split("\n")) expect((line.match(/'/g) ?? []).length % 2).toBe(0);
});
