import { isObject } from "../../../util/own.ts";
import type { WireObject } from "../../wire-server/api.ts";
import type { ChatServerKind } from "../server-kind.ts";

/** Why a rule refuses a request. */
export interface RuleRefusal {
  readonly message: string;
  /** The place, such as `tools[0].function.name`. */
  readonly param?: string;
  readonly code?: string;
  readonly type?: string;
  /** Default: 400. */
  readonly status?: number;
}

/** A rule of Chat Completions, as one kind of server keeps it. */
export type ChatRule = (request: WireObject, kind: ChatServerKind) => RuleRefusal | null;

/** The objects of a value that should be a list of objects. */
export function objectsOf(value: unknown): WireObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A function of the request, with its place. */
export interface PlacedFunction {
  readonly path: string;
  readonly definition: WireObject;
  readonly name: string;
}

export function functionsOf(request: WireObject): PlacedFunction[] {
  return objectsOf(request.tools).flatMap((tool, index) => {
    if (tool.type !== "function" || !isObject(tool.function)) return [];
    const definition = tool.function;
    return [{ path: `tools[${index}].function`, definition, name: String(definition.name) }];
  });
}

/** A call of a stored turn, with its place. */
export interface PlacedCall {
  readonly path: string;
  readonly call: WireObject;
  readonly target: WireObject;
}

export function callsOf(request: WireObject): PlacedCall[] {
  return objectsOf(request.messages).flatMap((message, index) =>
    objectsOf(message.tool_calls).map((call, place) => ({
      path: `messages[${index}].tool_calls[${place}]`,
      call,
      target: isObject(call.function) ? call.function : {},
    })),
  );
}

/** The first refusal that a check gives for the items of a list. */
export function firstRefusal<T>(
  items: readonly T[],
  check: (item: T, index: number) => RuleRefusal | null,
): RuleRefusal | null {
  for (const [index, item] of items.entries()) {
    const refusal = check(item, index);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** What a value is called in messages. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number";
  return `a ${typeof value}`;
}

export function wrongType(param: string, expected: string, value: unknown): RuleRefusal {
  return {
    message: `Invalid type for '${param}': expected ${expected}, but got ${kindOf(value)} instead.`,
    param,
    code: "invalid_type",
  };
}

export function tooLong(param: string, most: number, length: number): RuleRefusal {
  return {
    message: `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`,
    param,
    code: "string_above_max_length",
  };
}

export function emptyArray(param: string): RuleRefusal {
  return {
    message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    param,
    code: "empty_array",
  };
}

export function badPattern(param: string, pattern: string): RuleRefusal {
  return {
    message: `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${pattern}'.`,
    param,
    code: "invalid_value",
  };
}
