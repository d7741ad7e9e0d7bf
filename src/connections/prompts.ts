import type { PromptPart, PromptReply } from "../types/offers.ts";
import type { ServerBlock } from "../types/outcome.ts";
import type { ServerPrompt, ServerPromptArgument } from "../types/prompt.ts";
import { isObject } from "../util/own.ts";
import { ingestCallResult } from "./ingest-content.ts";
import { keyProblem, leaveOut, nameOf, type ReadEntry, textsOf } from "./offer-entries.ts";
import { summarise } from "./summarise.ts";

const longestName = 1_000;
const mostArguments = 100;
const mostMessages = 1_000;

/** A member of `prompts/list` (MCP 2026-07-28, `Prompt`). */
export const readPromptEntry: ReadEntry<ServerPrompt> = (raw) => {
  const { name } = raw;
  const problem = keyProblem("name", name, longestName);
  if (problem !== null || typeof name !== "string") return leaveOut(nameOf(raw, "(unnamed)"), problem ?? "");
  const given = Array.isArray(raw.arguments) ? raw.arguments : [];
  if (given.length > mostArguments)
    return leaveOut(name, `It has ${given.length} arguments; at most ${mostArguments} are read.`);
  const entry: ServerPrompt = {
    name,
    ...textsOf(raw, ["title", "description"]),
    arguments: readArguments(given),
  };
  return { type: "entry", key: name, entry };
};

/** An argument that cannot be named cannot be given either. */
function readArguments(given: readonly unknown[]): readonly ServerPromptArgument[] {
  const read = new Map<string, ServerPromptArgument>();
  for (const raw of given) {
    if (!isObject(raw)) continue;
    const { name } = raw;
    if (keyProblem("name", name, longestName) !== null || typeof name !== "string" || read.has(name))
      continue;
    read.set(name, { name, ...textsOf(raw, ["description"]), required: raw.required === true });
  }
  return [...read.values()];
}

function quoted(role: unknown): string {
  return summarise(typeof role === "string" ? JSON.stringify(role) : role, 100);
}

/** Reads a `prompts/get` result of any shape. What is no message of the assistant's is one of the person's. */
export function ingestPromptResult(result: unknown): PromptReply {
  const messages = isObject(result) ? result.messages : undefined;
  const raw = Array.isArray(messages) ? messages.slice(0, mostMessages) : [];
  const repairs: string[] = Array.isArray(messages) ? [] : ["messages was no list."];
  if (Array.isArray(messages) && messages.length > mostMessages)
    repairs.push(`Only ${mostMessages} of ${messages.length} messages were read.`);
  const content: ServerBlock[] = [];
  const parts = raw.map((message): PromptPart => {
    const { role, content: said } = isObject(message) ? message : { role: "user", content: message };
    // Some servers send a list where the protocol has one block.
    const read = ingestCallResult({ content: Array.isArray(said) ? said : [said] });
    // One by one: as arguments there may be too many.
    for (const repair of read.repairs) repairs.push(repair);
    for (const block of read.content) content.push(block);
    if (role !== "assistant" && role !== "user")
      repairs.push(`A message of the role ${quoted(role)} was read as the person's.`);
    return { role: role === "assistant" ? "assistant" : "user", blocks: read.content.length };
  });
  return {
    ...(isObject(result) ? textsOf(result, ["description"]) : {}),
    parts,
    reply: { content, isError: false, repairs },
  };
}
