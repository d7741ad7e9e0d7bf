import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, homeFolder, processesOf, root } from "./command.ts";

const home = homeFolder();
const script = join(root, "scripts/start.mjs");

test("npm start answers without a terminal, and the command it shows does the same", () => {
  const options = { cwd: root, env: environment(home), encoding: "utf8" } as const;
  const started = spawnSync(process.execPath, [script], options);
  expect(started.stderr).toContain("offline");
  expect(started.stderr).toContain("server workspace: ready");
  expect(started.stderr).toContain("server filesystem: ready");
  expect(started.stdout).toContain("src/todo-store.ts");
  expect(started.status).toBe(0);

  const shown = /^\$ (.*)$/m.exec(started.stderr)?.[1] ?? "false";
  const again = spawnSync(shown, { ...options, shell: true });
  expect(again.stdout).toBe(started.stdout);
  expect(again.status).toBe(0);
});

test.runIf(process.platform === "linux")(
  "npm start passes signals on and leaves nothing behind",
  async () => {
    const child = spawn(process.execPath, [script], {
      cwd: root,
      env: environment(home),
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    let sent = false;
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      if (sent || !stderr.includes("  model ")) return;
      sent = true;
      child.kill("SIGTERM");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(stderr).toContain("Interrupted");
    expect(code).toBe(143);
    expect(processesOf(home)).toEqual([]);
  },
);
