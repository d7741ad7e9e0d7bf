import type { SimulatedRequest } from "../../src/testing/anthropic/simulator.ts";
import { itemsOf, membersOf } from "./members.ts";

/** A tool result as it stood in a request to the Messages API. */
export interface WireResult {
  readonly id: string;
  readonly isError: boolean;
  readonly blocks: readonly Record<string, unknown>[];
  /** All text of it. */
  readonly text: string;
}

/** The results in the newest user message of a request. */
export function newestResults(request: SimulatedRequest | undefined): WireResult[] {
  const newest = itemsOf(request?.body.messages).at(-1);
  return itemsOf(newest?.content)
    .filter(({ type }) => type === "tool_result")
    .map((block) => {
      const blocks =
        typeof block.content === "string" ? [{ type: "text", text: block.content }] : itemsOf(block.content);
      const text = blocks.map((one) => (one.type === "text" ? String(one.text) : "")).join("\n");
      return { id: String(block.tool_use_id), isError: block.is_error === true, blocks, text };
    });
}

/** The results that came back to the model in a whole run, in order. */
export function allResults(requests: readonly SimulatedRequest[]): WireResult[] {
  const seen = new Set<string>();
  return requests.flatMap(newestResults).filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** The tools of a request: name and schema as they were sent. */
export function wireTools(
  request: SimulatedRequest | undefined,
): { name: string; schema: Record<string, unknown> }[] {
  return itemsOf(request?.body.tools).map((tool) => ({
    name: String(tool.name),
    schema: membersOf(tool.input_schema),
  }));
}

/** Every property key at any depth of a schema. */
export function propertyKeys(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(propertyKeys);
  const members = membersOf(schema);
  return Object.entries(members).flatMap(([key, value]) => [
    ...(key === "properties" ? Object.keys(membersOf(value)) : []),
    ...propertyKeys(value),
  ]);
}
