import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atTerminal, terminals } from "./at-terminal.ts";
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

test.runIf(terminals)(
  "at a terminal npm start offers to go on in the chat, and takes no for an answer",
  async () => {
    const { code, screen } = await atTerminal([script], home, [{ on: "[y/N]", press: "\r" }]);
    expect(screen).toContain("src/todo-store.ts");
    expect(screen).not.toContain("main.js chat");
    expect(code).toBe(0);
  },
);

test.runIf(terminals)("a yes begins the chat with the same servers", async () => {
  const { code, screen } = await atTerminal([script], home, [
    { on: "[y/N]", press: "y\r" },
    { on: "main.js chat", press: "" },
    { on: "workspace", press: "" },
    { on: "/help", press: "\u0004" },
  ]);
  expect(screen).toContain("main.js chat --server");
  expect(code).toBe(0);
});
