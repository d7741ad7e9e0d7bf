import { createHost } from "../../src/host.ts";
import { type ScriptedModel, type ScriptedStep, scriptedModel } from "../../src/testing/index.ts";
import type { AuditEntry } from "../../src/types/audit.ts";
import type { HostOptions, ServerConfig } from "../../src/types/config.ts";
import type { RunEvent, RunResult } from "../../src/types/events.ts";
import type { ConversationOptions, RunOptions } from "../../src/types/host.ts";
import type { ToolResultBlock } from "../../src/types/message.ts";

/** What a run of a scripted model on fake servers gave, with everything that can be asked of it. */
export interface Ran {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  readonly audit: readonly AuditEntry[];
  readonly model: ScriptedModel;
  /** The results of the user message with this number, from 0, of those that hold results. */
  results(turn: number): readonly ToolResultBlock[];
}

export interface RunSettings extends Omit<Partial<HostOptions>, "servers" | "model"> {
  readonly servers?: Readonly<Record<string, { readonly config: ServerConfig }>>;
  readonly run?: RunOptions & ConversationOptions;
  readonly onEvent?: (event: RunEvent) => void;
  readonly question?: string;
}

/** Runs one question to its end. Unless told otherwise every call is allowed and nothing is kept on disk. */
export async function runScript(steps: readonly ScriptedStep[], settings: RunSettings = {}): Promise<Ran> {
  const { servers = {}, run, onEvent, question = "go", ...options } = settings;
  const model = scriptedModel(steps);
  const audit: AuditEntry[] = [];
  const sink = { append: async (entry: AuditEntry) => void audit.push(entry) };
  const configs = Object.fromEntries(Object.entries(servers).map(([id, server]) => [id, server.config]));
  await using host = createHost({
    policy: { rules: ["allow */*"] },
    state: false,
    audit: sink,
    ...options,
    servers: configs,
    model,
  });
  const running = host.run(question, run);
  const events: RunEvent[] = [];
  for await (const event of running) {
    events.push(event);
    onEvent?.(event);
  }
  const result = await running.result;
  const results = (turn: number) => resultMessages(result)[turn] ?? [];
  return { result, events, audit, model, results };
}

function resultMessages(result: RunResult): ToolResultBlock[][] {
  return result.messages
    .filter((message) => message.role === "user")
    .map((message) => message.content.filter((block) => block.type === "tool_result"))
    .filter((results) => results.length > 0);
}

/** The text of a result, joined. */
export function textOf(block: ToolResultBlock | undefined): string {
  return (block?.content ?? [])
    .map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`))
    .join("\n");
}
