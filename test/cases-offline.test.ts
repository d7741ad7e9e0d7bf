import { expect, test } from "vitest";
import type { RunEvent } from "../src/types/events.ts";
import { startCase } from "./support/case-host.ts";
import { type Case, runnable } from "./support/cases.ts";
import { itemsOf } from "./support/members.ts";

/** A tool whose name and description match words of a person: the offline model goes by them. */
const report = {
  name: "fetch_report",
  description: "Fetches the report.",
  inputSchema: { type: "object", properties: {} },
};

/** A case of results is about a tool that is called; one of tools names its first tool. */
function playOf(one: Case): { readonly plays: Case; readonly question: string } {
  if (one.type === "result") {
    const plays = { ...one, script: { "tools/list": { result: { tools: [report] } } } };
    return { plays, question: "Fetch the report." };
  }
  const [first] = itemsOf(one.tools);
  return { plays: one, question: `Use the tool ${String(first?.name ?? "op_1")}.` };
}

const cases = runnable("tools", "result");

test.each(cases.map((one) => [one.id, one.kind, one] as const))(
  "%s %s: the offline model goes on",
  async (_id, _kind, one) => {
    const server = typeof one.server === "string" ? one.server : "s";
    const { plays, question } = playOf(one);
    await using started = await startCase({ [server]: { plays } }, "offline");
    const run = started.host.run(question);
    const events: RunEvent[] = [];
    for await (const event of run) events.push(event);
    const { stop, text, messages } = await run.result;
    expect(stop).toEqual({ type: "answered" });
    expect(text.trim()).not.toBe("");
    const blocks = messages.flatMap(({ content }) => [...content]);
    const calls = blocks.flatMap((block) => (block.type === "tool_call" ? [block.id] : []));
    const results = blocks.flatMap((block) => (block.type === "tool_result" ? [block.callId] : []));
    expect(results).toEqual(calls);
    if (one.type === "result") expect(calls.length).toBeGreaterThan(0);
  },
);
