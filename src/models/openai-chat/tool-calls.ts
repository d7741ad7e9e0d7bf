import type { ModelEvent } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";

/** A call while it is streamed. */
interface OpenCall {
  /** As it is stored: unique in the conversation. */
  readonly id: string;
  name: string;
  /** Pieces of the raw text of its arguments. */
  readonly input: string[];
}

/** Puts the calls of one answer together from their fragments. */
export interface CallCollector {
  /** Takes `delta.tool_calls` of one event. */
  take(fragments: unknown): ModelEvent[];
  readonly calls: readonly OpenCall[];
}

/** Most calls an answer may have. */
const callLimit = 10_000;

/**
 * Fragments belong together by `index`. Servers that leave it out, or give every call the same one, tell calls apart
 * by a new id, or only by a new name; some write the arguments as an object instead of its text.
 */
export function createCallCollector(unique: (id: string) => string): CallCollector {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  const givenIds = new Map<OpenCall, string>();

  const callOf = (fragment: Record<string, unknown>, name: string): OpenCall | null => {
    const id = typeof fragment.id === "string" ? fragment.id : "";
    const index = Number.isInteger(fragment.index) ? Number(fragment.index) : null;
    const open = index === null ? calls.at(-1) : byIndex.get(index);
    if (open !== undefined) {
      const same = id !== "" && givenIds.get(open) === id;
      const renamed = open.name !== "" && name !== open.name;
      const another = name !== "" && (renamed || (id === "" ? index === null : !same));
      if (!another) return open;
    }
    if (calls.length >= callLimit) return null;
    const call: OpenCall = { id: unique(id), name: "", input: [] };
    calls.push(call);
    givenIds.set(call, id);
    if (index !== null) byIndex.set(index, call);
    return call;
  };

  const takeOne = (fragment: unknown): ModelEvent[] => {
    if (!isObject(fragment)) return [];
    const target = isObject(fragment.function) ? fragment.function : {};
    const name = typeof target.name === "string" ? target.name : "";
    const call = callOf(fragment, name);
    if (call === null) return [];
    // Some servers repeat the name with every fragment.
    if (call.name === "") call.name = name;
    const json = argumentsText(target.arguments);
    if (json === "") return [];
    call.input.push(json);
    return [{ type: "tool_input_delta", callId: call.id, name: call.name, json }];
  };

  return { calls, take: (fragments) => (Array.isArray(fragments) ? fragments.flatMap(takeOne) : []) };
}

function argumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
