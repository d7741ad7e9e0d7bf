import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/cli/exit-code.ts";
import { environment, homeFolder, root } from "./command.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const home = homeFolder();

test("the program of the README runs as it stands there and finds what it asks for", () => {
  const [, program = ""] = /```js\n(.*?)```/s.exec(readme) ?? [];
  expect(program.trim().split("\n").length).toBeLessThanOrEqual(15);
  const ran = spawnSync(process.execPath, ["--input-type=module", "-"], {
    cwd: root,
    input: program,
    env: environment(home),
    encoding: "utf8",
  });
  expect(ran.stderr).toContain("allow ");
  expect(ran.stdout).toContain("TODO");
  expect(ran.stdout).toContain("src/todo-store.ts");
  expect(ran.status).toBe(0);
});

test("the exit codes of the README are those of the command", () => {
  const listed = [...readme.matchAll(/^\| (\d+) +\|/gm)].map((row) => Number(row[1]));
  expect(listed).toEqual(Object.values(exitCodes));
});
