import { isObject } from "../../../util/own.ts";
import type { RuleRefusal } from "../../openai-chat/rules/request-view.ts";
import type { WireObject } from "../../wire-server/api.ts";
import type { IssuedItems } from "../issued-items.ts";

/** What a rule knows beside the request. */
interface ResponsesContext {
  /** The items that were given out; null when every item is believed. */
  readonly issued: Pick<IssuedItems, "knows" | "reasoningOf"> | null;
}

/** A rule of the Responses API. */
export type ResponsesRule = (request: WireObject, context: ResponsesContext) => RuleRefusal | null;

/** An item of the input, with its place. */
export interface PlacedItem {
  readonly path: string;
  readonly index: number;
  readonly item: WireObject;
  /** `message` also where the type is left out. */
  readonly type: string;
}

export function itemsOf({ input }: WireObject): PlacedItem[] {
  if (!Array.isArray(input)) return [];
  return input.flatMap((item: unknown, index) =>
    isObject(item)
      ? [
          {
            path: `input[${index}]`,
            index,
            item,
            type: item.type === undefined ? "message" : String(item.type),
          },
        ]
      : [],
  );
}

/** A part of an item's content or output, with its place. */
export interface PlacedPart {
  readonly path: string;
  readonly part: WireObject;
}

export function partsOf({ path, item }: PlacedItem, field: "content" | "output"): PlacedPart[] {
  const parts = item[field];
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown, index) =>
    isObject(part) ? [{ path: `${path}.${field}[${index}]`, part }] : [],
  );
}

export function missing(param: string): RuleRefusal {
  return { message: `Missing required parameter: '${param}'.`, param, code: "missing_required_parameter" };
}

export function unknownParameter(param: string): RuleRefusal {
  return { message: `Unknown parameter: '${param}'.`, param, code: "unknown_parameter" };
}

/** Names in quotes as messages list them: a comma in front of `and` from the third on. */
function listOf(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  const last = quoted.pop() ?? "";
  if (quoted.length === 0) return last;
  return quoted.length === 1 ? `${quoted[0]} and ${last}` : `${quoted.join(", ")}, and ${last}`;
}

export function unsupportedValue(param: string, value: unknown, supported: readonly string[]): RuleRefusal {
  const shown = typeof value === "string" ? value : "";
  return {
    message: `Invalid value: '${shown}'. Supported values are: ${listOf(supported)}.`,
    param,
    code: "invalid_value",
  };
}
