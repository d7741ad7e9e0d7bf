import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { createHost } from "../../src/index.ts";
import { fakeServer, type ScriptedStep, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { HostOptions } from "../../src/types/config.ts";
import type { RunEvent } from "../../src/types/events.ts";
import { runCalls } from "../connections/elicitation/ask-host.ts";
import { askingServer, textResult } from "../connections/elicitation/asking-server.ts";
import { runEventsSchema } from "./run-events.ts";

const file = join(import.meta.dirname, "../../schema/run-events.schema.json");
const valid = new Ajv2020({ allErrors: true }).compile(runEventsSchema);
const validClosed = new Ajv2020({ allErrors: true }).compile(closed(runEventsSchema) as object);

/** The schema with every object closed: a field that it does not name is found. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const fields = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return "properties" in fields ? { ...fields, additionalProperties: false } : fields;
}

test("the published schema is the one that the types are compared with", async () => {
  await expect(`${JSON.stringify(runEventsSchema, null, 2)}\n`).toMatchFileSnapshot(file);
});

test("what is no event is refused", () => {
  for (const other of [{}, { type: "turn_started" }, { type: "turn_started", turn: "1" }, { type: "new" }]) {
    expect(valid(other)).toBe(false);
  }
});

/** Everything that a run tells, of two servers of which one does not start. */
async function eventsOf(
  steps: (tools: ReturnType<typeof fakeServer>) => readonly ScriptedStep[],
  options: Partial<HostOptions> = {},
): Promise<RunEvent[]> {
  const read = textTool("read", (_args, call) => {
    call.progress(1, 2);
    return "text";
  });
  const long = textTool("long", () => "many words ".repeat(2_000));
  const bad = { definition: { name: "bad", inputSchema: "none" }, run: () => ({}) };
  const fs = fakeServer([read, textTool("write", () => "done"), long, bad]);
  const down = { command: process.execPath, args: ["-e", "process.exit(7)"], required: false };
  await using host = createHost({
    servers: { fs: fs.config, down },
    model: scriptedModel(steps(fs)),
    policy: { rules: ["allow fs/read"], trust: ["nobody"] },
    state: false,
    audit: false,
    ...options,
  });
  const events: RunEvent[] = [];
  for await (const event of host.run("go")) events.push(event);
  return events;
}

/** Everything that is told of a server which asks the person and the model, and logs. */
async function askedEvents(options: Partial<HostOptions>): Promise<readonly RunEvent[]> {
  const form = { message: "?", requestedSchema: { type: "object", properties: {} } };
  const text = { type: "text", text: "?" };
  const server = askingServer({
    era: "legacy",
    tools: ["t"],
    async call({ ask, send }) {
      send({ method: "notifications/message", params: { level: "error", logger: "l", data: "x" } });
      await ask("elicitation/create", form);
      await ask("sampling/createMessage", { messages: [{ role: "user", content: text }], maxTokens: 5 });
      return textResult("done");
    },
    settings: { sampling: true },
  });
  const steps = [{ calls: [{ name: "s__t", input: {} }] }, { text: "sampled" }];
  return (await runCalls(server, [], options, steps)).events;
}

const calls = (...names: string[]) => ({ calls: names.map((name) => ({ name, input: { path: "a" } })) });

test("every kind of event that runs tell is in the schema, with every field, and runs tell all kinds", async () => {
  const answer = { text: ["Found.", "Done."] };
  const lists = await Promise.all([
    eventsOf((fs) => [
      { ...calls("fs__read", "fs__nothing"), thinking: "hm", text: "Reading.", failedAttempts: ["cut"] },
      () => {
        fs.changeTools([textTool("read", () => "new"), textTool("more", () => "more")]);
        return calls("fs__read");
      },
      answer,
    ]),
    eventsOf(() => [calls("fs__write"), answer]),
    eventsOf(() => [calls("fs__write"), answer], {
      approve: ({ questions, answer: reply }) =>
        reply(questions[0]?.id ?? "", { type: "deny", message: "no" }),
    }),
    eventsOf(() => [calls("fs__read"), calls("fs__read")], { limits: { turns: 2, offeredTools: 3 } }),
    eventsOf(() => [calls("fs__read")], { limits: { calls: 1 } }),
    eventsOf(() => [calls("fs__long"), { ...calls("fs__read"), usage: { inputTokens: 6_000 } }, answer], {
      policy: { rules: ["allow fs/*"] },
      limits: { contextTokens: 4_000 },
    }),
    eventsOf(() => [
      { text: "", refusal: "no", stopReason: "refusal" },
      { refusal: "no", stopReason: "refusal" },
    ]),
    eventsOf(() => [{ refusal: "no", stopReason: "refusal" }], {
      fallbackModels: [scriptedModel([{ text: "Yes." }])],
    }),
    askedEvents({ elicit: () => ({ action: "decline" }) }),
    askedEvents({ policy: { rules: ["allow s/t", 'allow s/"sampling/createMessage"'] } }),
    eventsOf(() => [new Error("the API is down")]),
    eventsOf(() => [], { servers: { down: { command: "no-such-command-here" } } }),
  ]);
  const told = new Set<string>();
  for (const event of lists.flat()) {
    // As a reader gets it.
    const line: unknown = JSON.parse(JSON.stringify(event));
    told.add(event.type);
    expect([event.type, validClosed(line), validClosed.errors]).toEqual([event.type, true, null]);
    expect(valid(line)).toBe(true);
  }
  expect([...told].sort()).toEqual(typesOf(runEventsSchema));
});

/** The types of events that the schema knows, each once. */
function typesOf(schema: Readonly<Record<string, unknown>>): string[] {
  const members = schema.anyOf as { readonly properties: { readonly type: { readonly const: string } } }[];
  return [...new Set(members.map(({ properties }) => properties.type.const))].sort();
}
