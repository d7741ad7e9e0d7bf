import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { fakeServer, type ScriptedStep, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { Message } from "../../src/types/message.ts";
import { textOf } from "../support/run-host.ts";

const state = mkdtempSync(join(tmpdir(), "compacted-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));

const longWords = "the whole of the first result ";

/** One run of the stored conversation, in a host of its own, as after a restart. */
async function runAnew(steps: readonly ScriptedStep[], id: string | undefined) {
  const server = fakeServer([textTool("get", () => longWords.repeat(1_000))]);
  const model = scriptedModel(steps);
  await using host = createHost({
    servers: { s: server.config },
    model,
    state,
    audit: false,
    principal: "me",
    policy: { rules: ["allow */*"] },
    limits: { contextTokens: 20_000, outputTokensPerResult: 20_000 },
  });
  const conversation = host.conversation(id === undefined ? {} : { id });
  const result = await conversation.run("go").result;
  return { id: conversation.id, result, requests: model.requests };
}

const stubOf = (messages: readonly Message[] = []): string => {
  const results = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_result" ? [textOf(block)] : [])),
  );
  return results[0] ?? "";
};

test("a conversation that goes on after a restart sends the same bytes as before, keeps the originals, and reads what was left out", async () => {
  const get = (inputTokens: number): ScriptedStep => ({
    calls: [{ name: "s__get" }],
    usage: { inputTokens },
  });
  const first = await runAnew([get(0), get(18_000), { text: "done" }], undefined);
  const sent = first.requests.at(-1)?.messages ?? [];
  expect(stubOf(sent)).toContain("This earlier result was left out");
  expect(stubOf(first.result.messages)).toContain(longWords);

  const read: ScriptedStep = ({ messages }) => {
    const id = /"id":"(?<id>[^"]+)"/.exec(stubOf(messages))?.groups?.id ?? "";
    return { calls: [{ name: "drawbridge__read_output", input: { id, limit: 1 } }] };
  };
  const second = await runAnew([read, { text: "read" }], first.id);
  const again = second.requests[0]?.messages ?? [];
  expect(JSON.stringify(again.slice(0, sent.length))).toBe(JSON.stringify(sent));
  expect(textOf(second.result.messages.at(-2)?.content[0] as Parameters<typeof textOf>[0])).toContain(
    longWords,
  );

  const [journal] = readdirSync(join(state, "runs")).filter((name) => name.startsWith(first.id));
  const records = readFileSync(join(state, "runs", journal ?? ""), "utf8").split("\n");
  const appended = records.filter((line) => line.includes('"message_appended"'));
  expect(appended.join("")).not.toContain("left out");
  expect(appended.filter((line) => line.includes(longWords)).length).toBeGreaterThan(1);
  expect(records.filter((line) => line.includes('"context_compacted"')).length).toBe(1);
});
