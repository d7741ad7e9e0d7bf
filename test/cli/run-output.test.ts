import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/types/events.ts";
import { drawbridge, fixture, homeFolder, root } from "./command.ts";

const home = homeFolder();
const read = 'Read the note "a.txt"';
const notes = ["--server", fixture("plain"), "--trust", "notes"];
const schema = JSON.parse(readFileSync(join(root, "schema/run-events.schema.json"), "utf8"));

test("--stream-json writes one event a line, each as the published schema says, and nothing else", async () => {
  const argv = [read, "--server", fixture("hostile"), "--trust", "notes", "--stream-json"];
  const { code, stdout, stderr } = await drawbridge(argv, home);
  const valid = new Ajv2020().compile<RunEvent>(schema);
  const lines = stdout.trimEnd().split("\n");
  const events = lines.map((line): unknown => JSON.parse(line));
  for (const event of events) expect([event, valid(event)]).toEqual([event, true]);
  const types = events.map((event) => (valid(event) ? event.type : ""));
  expect(types[0]).toBe("run_started");
  expect(types.at(-1)).toBe("run_completed");
  expect(types).toContain("call_completed");
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(stderr).toContain("notes/read_note");
  expect(code).toBe(0);
});

test("--transcript writes the whole conversation for the owner alone, and says what is blanked out", async () => {
  const path = join(home, "t.json");
  writeFileSync(path, "old");
  const { code, stderr } = await drawbridge([read, ...notes, "--transcript", path], home);
  expect(stderr).toContain(`Transcript: ${path} (secrets that the host knows are blanked out)`);
  const written = JSON.parse(readFileSync(path, "utf8"));
  expect(written).toMatchObject({ version: 1, stop: { type: "answered" }, turns: 2, calls: 1 });
  expect(written.messages).toHaveLength(4);
  expect(stderr).toContain(`Conversation: ${written.conversation}`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(code).toBe(0);
});

test("a secret of the configuration does not stand in the transcript, wherever the text is from", async () => {
  const secret = "s3cr3t-of-the-notes-server";
  const config = join(home, "secret.json");
  const path = join(home, "secret-t.json");
  const server = { command: "node", args: ["test/cli/fixtures/server.mjs"], env: { NOTES_TOKEN: secret } };
  writeFileSync(config, JSON.stringify({ mcpServers: { notes: server }, trust: ["notes"] }));
  const argv = [`Read the note "${secret}.txt"`, "--config", config, "--transcript", path];
  const { code, stdout } = await drawbridge(argv, home);
  expect(stdout).toContain("says hello");
  const written = readFileSync(path, "utf8");
  expect(written).toContain("⟨secret notes");
  expect(written).not.toContain(secret);
  expect(code).toBe(0);
});

test("--transcript is written after a run that failed, too", async () => {
  const path = join(home, "failed.json");
  const argv = [read, "--server", "gone=no-such-command-here", "--transcript", path];
  expect((await drawbridge(argv, home)).code).toBe(3);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
    stop: { type: "failed", error: { code: "server_start_failed" } },
  });
});

test("a transcript that could not be written is told before anything runs", async () => {
  const argv = [read, ...notes, "--transcript", join(home, "missing/t.json")];
  const { code, stderr } = await drawbridge(argv, home);
  expect(stderr).toMatch(/^drawbridge: --transcript .* is in a folder that does not exist/);
  expect(code).toBe(2);
});

test("--transcript replaces no device and no pipe, and a link to a file stays a link", async () => {
  const device = join(home, "pipe.json");
  execFileSync("mkfifo", [device]);
  const refused = await drawbridge([read, ...notes, "--transcript", device], home);
  expect(refused.stderr).toMatch(/^drawbridge: --transcript .* is a device or a pipe; name a file\./);
  expect(statSync(device).isFIFO()).toBe(true);
  expect(refused.code).toBe(2);

  const [target, link] = [join(home, "target.json"), join(home, "link.json")];
  writeFileSync(target, "old");
  symlinkSync(target, link);
  expect((await drawbridge([read, ...notes, "--transcript", link], home)).code).toBe(0);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(target, "utf8"))).toMatchObject({ version: 1 });
});

test("--continue goes on with the newest conversation of the folder, or with the one that is named", async () => {
  const own = homeFolder();
  const none = await drawbridge([read, ...notes, "--continue"], own);
  expect(none.stderr).toMatch(/No conversation of yours began in this folder/);
  expect(none.code).toBe(2);

  const first = await drawbridge([read, ...notes], own);
  const id = /Conversation: (\S+)/.exec(first.stderr)?.[1] ?? "";
  const again = await drawbridge([read, ...notes, "--continue", "--json"], own);
  expect(again.stderr).toContain(`goes on with ${id}, 2 turns: ${read}`);
  expect(JSON.parse(again.stdout).messages).toHaveLength(8);
  const named = await drawbridge([read, ...notes, "--continue", id, "--json"], own);
  expect(JSON.parse(named.stdout).messages).toHaveLength(12);

  const unknown = await drawbridge([read, "--continue", "conversation_0000000000000000"], own);
  expect(unknown.code).toBe(2);
});

test("with --no-store nothing is left to go on with", async () => {
  const own = homeFolder();
  const { code, stderr } = await drawbridge([read, ...notes, "--no-store"], own);
  expect(stderr).not.toContain("Conversation:");
  expect(code).toBe(0);
  expect((await drawbridge([read, ...notes, "--continue"], own)).code).toBe(2);
});

test("a time limit ends the run with exit code 5", async () => {
  const argv = [read, "--server", fixture("hangs"), "--trust", "notes", "--timeout", "700ms"];
  const { code, stderr } = await drawbridge(argv, home);
  expect(stderr).toContain("Stopped at the time limit");
  expect(code).toBe(5);
});

test("--system @FILE gives the file's text to the model", async () => {
  const path = join(home, "system.txt");
  writeFileSync(path, "Answer in French.");
  expect((await drawbridge([read, ...notes, "--system", `@${path}`], home)).code).toBe(0);
  const { code, stderr } = await drawbridge([read, ...notes, "--system", `@${path}.gone`], home);
  expect(stderr).toMatch(/^drawbridge: --system: the file .* cannot be read\.\n$/);
  const endless = await drawbridge([read, ...notes, "--system", "@/dev/zero"], home);
  expect(endless.stderr).toBe("drawbridge: --system: the file /dev/zero is larger than 1 MB.\n");
  expect(code).toBe(2);
});
