import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createHost } from "../host.ts";
import { scriptedModel } from "../testing/index.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-begun-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const down = { command: process.execPath, args: ["-e", "process.exit(7)"] };

test("a conversation whose run never began, because a server is down, leaves nothing to go on with", async () => {
  const state = join(folder, "down");
  await using host = createHost({ servers: { down }, model: scriptedModel([]), state });
  const conversation = host.conversation();
  expect((await conversation.run("hi").result).stop.type).toBe("failed");
  expect(conversation.messages).toEqual([]);
  expect(readdirSync(state)).not.toContain("runs");
});

test("one that began holds its records in order, and its next run goes on in the same journal", async () => {
  const state = join(folder, "begun");
  await using host = createHost({ servers: {}, model: scriptedModel([{ text: "a" }, { text: "b" }]), state });
  const conversation = host.conversation();
  await conversation.run("one").result;
  await conversation.run("two").result;
  const lines = readFileSync(join(state, "runs", `${conversation.id}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  const run = ["run_started", "message_appended", "message_appended", "run_ended"];
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(["journal_opened", ...run, ...run]);
});
