import { isObject } from "../../../util/own.ts";
import type { WireObject } from "../../wire-server/api.ts";
import type { GeminiModelFacts } from "../model-facts.ts";
import type { ParseProblem } from "../parse-messages.ts";

/** Why a rule refuses a request. */
export interface GeminiRefusal {
  readonly message: string;
  /** Default: 400. */
  readonly status?: number;
  /** `fieldViolations` of the error's details: a place, and what is wrong there. */
  readonly violations?: readonly { readonly field: string; readonly description: string }[];
}

/** A request as the rules see it. */
export interface GeminiRequest {
  /** The body with the names of its fields in camel case, which is one of the two forms that the API takes. */
  readonly body: WireObject;
  /** What of it could not be read; it is left out of `body`. */
  readonly problems: readonly ParseProblem[];
  readonly model: string;
  readonly facts: GeminiModelFacts;
  /** The model that a thought signature is from; null when nobody gave it out. */
  signerOf(signature: string): string | null;
}

export type GeminiRule = (request: GeminiRequest) => GeminiRefusal | null;

/** The objects of a value that should be a list of objects. */
export function objectsOf(value: unknown): WireObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A turn of a conversation, or a piece of one. */
export interface Content {
  readonly index: number;
  readonly role: unknown;
  readonly parts: readonly WireObject[];
}

export function contentsOf({ body }: GeminiRequest): Content[] {
  return objectsOf(body.contents).map(({ role, parts }, index) => ({ index, role, parts: objectsOf(parts) }));
}

/** The turns of a conversation: contents of one role in a row are one turn, as clients send back what was streamed. */
export function turnsOf(request: GeminiRequest): Content[] {
  const turns: Content[] = [];
  for (const content of contentsOf(request)) {
    const last = turns.at(-1);
    if (last === undefined || last.role !== content.role) turns.push(content);
    else turns[turns.length - 1] = { ...last, parts: [...last.parts, ...content.parts] };
  }
  return turns;
}

/** The objects that the parts of a turn hold in one of their fields. */
export function heldBy({ parts }: Content, field: string): WireObject[] {
  return parts.flatMap((part) => {
    const held = part[field];
    return isObject(held) ? [held] : [];
  });
}

/** A function of the request, with its place. */
export interface PlacedFunction {
  readonly path: string;
  readonly declaration: WireObject;
}

export function functionsOf({ body }: GeminiRequest): PlacedFunction[] {
  return objectsOf(body.tools).flatMap((tool, at) =>
    objectsOf(tool.functionDeclarations).map((declaration, index) => ({
      path: `tools[${at}].function_declarations[${index}]`,
      declaration,
    })),
  );
}

/** A refusal in the form that names a field and a problem. */
export function fieldProblem(path: string, problem: string): GeminiRefusal {
  return { message: `* GenerateContentRequest.${path}: ${problem}\n` };
}

/** The first refusal that a check gives for the items of a list. */
export function firstRefusal<T>(
  items: readonly T[],
  check: (item: T, index: number) => GeminiRefusal | null,
): GeminiRefusal | null {
  for (const [index, item] of items.entries()) {
    const refusal = check(item, index);
    if (refusal !== null) return refusal;
  }
  return null;
}
