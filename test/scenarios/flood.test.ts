import { expect, test } from "vitest";
import { homeFolder, processesOf, start } from "../cli/command.ts";

test.runIf(process.platform === "linux")(
  "a server that floods its output keeps neither the progress line nor Ctrl-C from being heard",
  async () => {
    const home = homeFolder();
    const running = start(["Say hello to me", "--server", "flood=yes {"], home);
    await running.saw("… the servers (5 s)");
    running.child.kill("SIGINT");
    const { code, stderr } = await running.finished;
    expect(stderr).toContain("Interrupted");
    expect(stderr).not.toContain("not ready within");
    expect(code).toBe(130);
    expect(processesOf(home)).toEqual([]);
  },
);
