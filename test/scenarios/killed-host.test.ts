import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { listConversations } from "../../src/host/stored-conversations.ts";
import { createHost } from "../../src/host.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { callsOf } from "../../src/transcript/call-ids.ts";
import { fixture, homeFolder, start } from "../cli/command.ts";

const read = 'Read the note "a.txt"';

/** The text of the only journal, once it holds the words. */
async function journalWith(home: string, words: string): Promise<string> {
  for (;;) {
    const [name] = existing(join(home, "state/runs"));
    const text = name === undefined ? "" : readFileSync(name, "utf8");
    if (text.includes(words)) return text;
    await sleep(20);
  }
}

function existing(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

test("a command killed with SIGKILL in the middle of a call is continued: the model is told that the call may have run", async () => {
  const home = homeFolder();
  const server = fixture("hangs", `killed-host-${process.pid}`);
  const running = start([read, "--server", server, "--trust", "notes"], home);
  await running.saw("notes/read_note");
  await journalWith(home, '"call_intended"');
  running.child.kill("SIGKILL");
  await running.finished;

  const state = join(home, "state");
  const [stored] = await listConversations({ state });
  expect(stored).toMatchObject({ question: read, turns: 1 });
  const model = scriptedModel([{ text: "I will look." }]);
  await using host = createHost({ servers: {}, model, state, audit: false });
  const result = await host.run("What happened?", { id: stored?.id ?? "" }).result;
  expect(result.stop).toEqual({ type: "answered" });
  const [question, turn, results, next] = model.requests[0]?.messages ?? [];
  expect(question?.content).toMatchObject([{ text: read }]);
  const [call] = turn === undefined ? [] : callsOf(turn);
  expect(results?.content).toMatchObject([
    {
      type: "tool_result",
      callId: call?.id,
      isError: true,
      content: [{ text: expect.stringContaining("may have run") }],
    },
  ]);
  expect(next?.content).toMatchObject([{ text: "What happened?" }]);
});
