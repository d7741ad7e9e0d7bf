import { openSync } from "node:fs";
import { expect, test } from "vitest";
import { homeFolder, processesOf } from "../cli/command.ts";
import { drawbridge, mainQuestion, servers } from "./command.ts";

const linux = process.platform === "linux";
const question = [mainQuestion, "--server", servers.workspace, "--trust", "workspace"];

test.runIf(linux)(
  "a state folder that cannot be made ends the run at once, in one line that names it",
  async () => {
    const home = "/proc/drawbridge-cannot-be-here";
    const { code, stdout, stderr } = await drawbridge(question, { home });
    expect(stderr).toMatch(/^Failed: .*\/proc\/drawbridge-cannot-be-here.*DRAWBRIDGE_HOME.*$/m);
    expect(stderr).not.toContain('✗ Server "workspace"');
    expect(stdout).toBe("");
    expect(code).toBe(1);
    expect(processesOf(home)).toEqual([]);
  },
);

test.runIf(linux)("tools says the same of a state folder that cannot be made", async () => {
  const home = "/proc/drawbridge-cannot-be-here";
  const { code, stderr } = await drawbridge(["tools", "--server", servers.workspace], { home });
  expect(stderr).toMatch(/^drawbridge: [^\n]*\/proc\/drawbridge-cannot-be-here[^\n]*\n$/);
  expect(code).toBe(1);
  expect(processesOf(home)).toEqual([]);
});

test.runIf(linux)("an answer that cannot be written to standard output is a failure", async () => {
  const { code, stderr } = await drawbridge(question, {
    home: homeFolder(),
    stdout: openSync("/dev/full", "w"),
  });
  expect(stderr).toMatch(/^drawbridge: [^\n]*Standard output[^\n]*no space left/m);
  expect(code).toBe(1);
});
