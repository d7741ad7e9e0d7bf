import { onTestFinished } from "vitest";
import { createHost } from "../../../src/index.ts";
import { type ScriptedStep, scriptedModel } from "../../../src/testing/index.ts";
import type { AuditEntry } from "../../../src/types/audit.ts";
import type { HostOptions } from "../../../src/types/config.ts";
import type { RunEvent, RunResult } from "../../../src/types/events.ts";
import type { Message } from "../../../src/types/message.ts";
import type { AskingServer } from "./asking-server.ts";

export interface Asked {
  readonly events: readonly RunEvent[];
  readonly result: RunResult;
  readonly entries: readonly AuditEntry[];
  /** What the model was told of its call. */
  readonly told: string;
}

/** Runs a conversation in which the model calls the tools of server `s`, all in one turn. */
export async function runCalls(
  { config }: Pick<AskingServer, "config">,
  tools: readonly string[],
  options: Partial<HostOptions> = {},
  steps: readonly ScriptedStep[] = [{ calls: tools.map((name) => ({ name: `s__${name}`, input: {} })) }],
): Promise<Asked> {
  const entries: AuditEntry[] = [];
  const host = createHost({
    servers: { s: config },
    model: scriptedModel([...steps, { text: "done" }]),
    policy: { rules: ["allow s/*"] },
    audit: {
      append: async (entry) => void entries.push(structuredClone(entry)),
    },
    state: false,
    ...options,
  });
  onTestFinished(() => host.close());
  const run = host.run("go");
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  return { events, result, entries, told: toldOf(result.messages) };
}

export function toldOf(messages: readonly Message[]): string {
  const blocks = messages.flatMap((message) => [...message.content]);
  const results = blocks.flatMap((block) => (block.type === "tool_result" ? [...block.content] : []));
  return results.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
}

export const ofType = <Type extends RunEvent["type"]>(
  events: readonly RunEvent[],
  type: Type,
): readonly Extract<RunEvent, { type: Type }>[] =>
  events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
