import type { DefinitionThen, KeptDefinitions, KeptTool } from "../types/definitions.ts";
import type { ServerTool } from "../types/tool.ts";
import { isObject } from "../util/own.ts";

/** A longer definition is kept by its hash alone. */
const maxDefinitionChars = 64 * 1024;
/** Characters of all definitions of a file; those behind are kept by their hashes alone. */
const maxAllChars = 8 * 1024 * 1024;

type Sum = (body: string) => string;

/** One line with a keyed hash of the rest, then the rest. Throws when even the hashes take more than `maxBytes`. */
export function definitionsText(kept: KeptDefinitions, sum: Sum, maxBytes: number): string {
  let room = maxAllChars;
  const bounded = ({ definitionHash, at, definition }: DefinitionThen) => {
    const size = definition === null ? 0 : JSON.stringify(definition).length;
    const keeps = size <= maxDefinitionChars && size <= room;
    if (keeps) room -= size;
    return { definitionHash, at, definition: keeps ? definition : null };
  };
  const tools = kept.tools.map((tool) => ({
    name: tool.name,
    ...bounded(tool),
    ...(tool.before === undefined ? {} : { before: bounded(tool.before) }),
  }));
  const body = JSON.stringify({ v: 1, at: kept.at, ...(kept.pinned && { pinned: true }), tools });
  if (body.length * 3 > maxBytes && new TextEncoder().encode(body).length + 65 > maxBytes) {
    throw new Error("there are too many");
  }
  return `${sum(body)}\n${body}`;
}

/** Null for what was not written here; `later` for what a later version wrote. */
export function readDefinitions(text: string, sum: Sum): KeptDefinitions | "later" | null {
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  const parsed = parse(body);
  if (!isObject(parsed)) return null;
  if (typeof parsed.v === "number" && parsed.v > 1) return "later";
  if (end !== 64 || text.slice(0, end) !== sum(body)) return null;
  const { v, at, pinned, tools } = parsed;
  if (v !== 1 || typeof at !== "string" || !Array.isArray(tools)) return null;
  const read: KeptTool[] = [];
  for (const tool of tools) {
    const then = definitionThen(tool);
    if (then === null || !isObject(tool) || typeof tool.name !== "string") return null;
    const before = tool.before === undefined ? null : definitionThen(tool.before);
    read.push({ name: tool.name, ...then, ...(before === null ? {} : { before }) });
  }
  return { at, tools: read, ...(pinned === true ? { pinned } : {}) };
}

/** The hash of the whole was checked, so the definition is what this program wrote. */
function definitionThen(value: unknown): DefinitionThen | null {
  if (!isObject(value)) return null;
  const { definitionHash, at, definition } = value;
  if (typeof definitionHash !== "string" || typeof at !== "string") return null;
  return {
    definitionHash,
    at,
    definition: isObject(definition) ? (definition as unknown as ServerTool) : null,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
