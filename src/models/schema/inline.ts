import type { Json, JsonObject } from "../../types/json.ts";
import { pointerTokens, resolvePointer, type SchemaContext } from "./context.ts";
import { annotations } from "./keywords.ts";

/** How many nodes may stand in the place of references: a few that nest would otherwise make millions. */
export const inlineNodeLimit = 4_000;

const definitions: ReadonlySet<string> = new Set(["$ref", "$defs", "definitions"]);

/**
 * The node with the target of its `$ref` in the place of it, lowered by `lower`. One that leads back into itself, or
 * nowhere, or too far, allows anything.
 */
export function inlineReference(
  node: JsonObject,
  context: SchemaContext,
  lower: (schema: Json, context: SchemaContext) => JsonObject | boolean,
): { readonly rest: JsonObject; readonly target: JsonObject | boolean | null } {
  const reference = node.$ref;
  const rest = Object.fromEntries(Object.entries(node).filter(([keyword]) => !definitions.has(keyword)));
  if (reference === undefined) return { rest, target: null };
  const tokens = typeof reference === "string" ? pointerTokens(reference) : null;
  const found = tokens === null ? undefined : resolvePointer(context.root, tokens);
  const key = typeof reference === "string" ? reference : "";
  if (found === undefined || context.open.has(key) || context.nodesLeft <= 0) {
    context.losses += 1;
    return { rest, target: null };
  }
  context.open.add(key);
  const target = lower(found, context);
  context.open.delete(key);
  return { rest, target };
}

/** A lowered node and the lowered target that holds beside it, in one. */
export function joinTarget(node: JsonObject, target: JsonObject | boolean): JsonObject | boolean {
  const members = Object.entries(node);
  if (typeof target === "boolean") return target ? node : { not: {} };
  // What only describes belongs to the place of the reference rather than to its target.
  if (members.every(([keyword]) => annotations.has(keyword))) return { ...target, ...node };
  const others = Array.isArray(node.allOf) ? (node.allOf as readonly Json[]) : [];
  return { ...node, allOf: [...others, target] };
}
