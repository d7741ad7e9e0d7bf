import { isObject } from "../../../util/own.ts";
import type { ModelFacts } from "../model-facts.ts";
import type { IssuedThinking } from "../thinking-marks.ts";

/** A request body as it came, an object at least. */
export type WireObject = Readonly<Record<string, unknown>>;

/** What a rule may need to know beside the body. */
export interface RuleContext {
  /** Values of the header `anthropic-beta`. */
  readonly betas: readonly string[];
  readonly model: ModelFacts;
  /** Tokens of the request's input. */
  readonly inputTokens: () => number;
  /** Calls of tools of the API's own that a script made although their request did not offer the tool. */
  readonly unoffered: ReadonlySet<string>;
  /** What a signature or the data of a redacted block stands for; without it every block of thinking is believed. */
  readonly issued: ((mark: string) => readonly IssuedThinking[]) | null;
}

/** A refusal that has more than a message: facts that the API states in `error.details`. */
export interface DetailedRefusal {
  readonly message: string;
  readonly details: WireObject;
}

/** A rule of the Messages API: the literal message of its refusal, or null. */
export type Rule = (request: WireObject, context: RuleContext) => string | DetailedRefusal | null;

/** Whether a beta is switched on: by its whole name, or by a name up to its date. */
export function hasBeta({ betas }: RuleContext, name: string): boolean {
  return betas.some((beta) => beta === name || (name.endsWith("-") && beta.startsWith(name)));
}

/** A content block with the place that messages name it by, such as `messages.0.content.2`. */
export interface PlacedBlock {
  readonly path: string;
  readonly role: string;
  readonly block: WireObject;
}

/** The objects of a value that should be a list of objects. */
export function objectsOf(value: unknown): WireObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The blocks of one message, without those inside tool results. A text given as a string is no block. */
export function blocksOfMessage(message: WireObject, index: number): PlacedBlock[] {
  return objectsOf(message.content).map((block, place) => ({
    path: `messages.${index}.content.${place}`,
    role: String(message.role),
    block,
  }));
}

const blocksByRequest = new WeakMap<WireObject, PlacedBlock[]>();

/** Every block of every message, without those inside tool results. Found once per request. */
export function blocksOf(request: WireObject): PlacedBlock[] {
  const known = blocksByRequest.get(request);
  if (known !== undefined) return known;
  const blocks = objectsOf(request.messages).flatMap(blocksOfMessage);
  blocksByRequest.set(request, blocks);
  return blocks;
}

/** The blocks inside a tool result, with their places. */
function nestedBlocksOf({ path, role, block }: PlacedBlock): PlacedBlock[] {
  if (block.type !== "tool_result") return [];
  return objectsOf(block.content).map((nested, place) => ({
    path: `${path}.tool_result.content.${place}`,
    role,
    block: nested,
  }));
}

/** Every block, those inside tool results directly after the result that holds them. */
export function allBlocksOf(request: WireObject): PlacedBlock[] {
  return blocksOf(request).flatMap((placed) => [placed, ...nestedBlocksOf(placed)]);
}

/** The first message that a check gives for the items of a list. */
export function firstRefusal<T, R extends string | DetailedRefusal = string>(
  items: readonly T[],
  check: (item: T, index: number) => R | null,
): R | null {
  for (const [index, item] of items.entries()) {
    const refusal = check(item, index);
    if (refusal !== null) return refusal;
  }
  return null;
}
