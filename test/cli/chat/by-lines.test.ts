import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, type Finished, fixture, homeFolder, root } from "../command.ts";
import { fixtureServer, projectFolder } from "../project.ts";

const home = homeFolder();

/** Pipes lines into a chat without a terminal. */
function chat(lines: string, more: readonly string[] = []): Promise<Finished> {
  return chatIn(root, lines, ["--server", fixture("plain"), "--trust", "notes", ...more]);
}

function chatIn(cwd: string, lines: string, options: readonly string[] = []): Promise<Finished> {
  const argv = [join(root, "dist/cli/main.js"), "chat", ...options];
  const child = spawn(process.execPath, argv, { cwd, env: environment(home) });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.end(lines);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

test("without a terminal each line is a message; answers alone go to standard output", async () => {
  const { code, stdout, stderr } = await chat('Read the note "a.txt"\n\n/usage\nRead the note "b.txt"\n');
  expect(code).toBe(0);
  expect(stdout).toMatch(/a\.txt says hello[\s\S]*b\.txt says hello/);
  expect(stdout).not.toMatch(/^>|\u001b|tokens/m);
  expect(stderr).toContain("1  2 turns, 1 call");
});

test("nobody can be asked: it is denied, the rule that would allow it is told, and the exit code says so", async () => {
  const { code, stderr } = await chat('Delete the note "a.txt"\nRead the note "b.txt"\n');
  expect(code).toBe(4);
  expect(stderr).toContain("To allow: --allow 'notes/delete_note path=a.txt'");
});

test("a stored conversation goes on, and one that does not exist is told", async () => {
  const { stdout } = await chat('Read the note "a.txt"\n/exit\nnever said\n');
  expect(stdout).not.toContain("never said");
  const { code, stderr } = await chat("/usage\n", ["--continue"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("goes on with conversation_")]);
  expect((await chat("hi\n", ["--continue", "conversation_nothing"])).code).toBe(2);
});

test("a chat without a terminal does not begin without a server that waits for an agreement", async () => {
  const { code, stdout, stderr } = await chatIn(projectFolder({ notes: fixtureServer() }), "hi\n");
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("drawbridge trust notes");
});

test("one that is not required waits, and is listed as that", async () => {
  const folder = projectFolder({ notes: { ...fixtureServer(), required: false } });
  const { code, stderr } = await chatIn(folder, "/servers\n");
  expect(code).toBe(0);
  expect(stderr).toContain(
    "! server notes: not started, it waits for your agreement: drawbridge trust notes",
  );
  expect(stderr).not.toContain("No servers");
});

test("what is piped in is asked when the servers are up, however long they take", async () => {
  const slow = `notes=node test/cli/fixtures/server.mjs slow`;
  const { stdout } = await chatIn(root, 'Read the note "a.txt"\n', ["--server", slow, "--trust", "notes"]);
  expect(stdout).toContain("a.txt says hello");
});
