import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import { stableJson } from "../../util/stable-json.ts";
import { pointerTokens, resolvePointer, type SchemaContext } from "./context.ts";
import { annotations } from "./keywords.ts";

/** How many nodes may stand in the place of references: a few that nest would otherwise make millions. */
export const inlineNodeLimit = 4_000;

/** References inside of what references lead to are followed this deep: each costs several frames of the stack. */
const referenceDepth = 24;

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
  const tooFar = context.open.size > referenceDepth || context.nodesLeft <= 0;
  if (found === undefined || context.open.has(key) || tooFar) {
    context.losses += 1;
    return { rest, target: null };
  }
  context.open.add(key);
  const target = lower(found, context);
  context.open.delete(key);
  return { rest, target };
}

/** A lowered node and the lowered target that holds beside it, in one: wider, where the API takes no `allOf`. */
export function joinTarget(
  node: JsonObject,
  target: JsonObject | boolean,
  context: SchemaContext,
): JsonObject | boolean {
  const members = Object.entries(node);
  if (typeof target === "boolean") return target ? node : { not: {} };
  // What only describes belongs to the place of the reference rather than to its target.
  const describing = members.filter(([keyword]) => annotations.has(keyword));
  if (describing.length === members.length) return { ...target, ...node };
  if (context.dialect.refuses("allOf", [target])) {
    const merged = mergeNodes(target, node);
    if (merged === null || merged.wider) context.losses += 1;
    return merged?.node ?? { ...target, ...Object.fromEntries(describing) };
  }
  const others = Array.isArray(node.allOf) ? (node.allOf as readonly Json[]) : [];
  return { ...node, allOf: [...others, target] };
}

/** Both schemas as one without `allOf`, or null when they say different things with the same keyword. */
function mergeNodes(first: JsonObject, second: JsonObject): { node: JsonObject; wider: boolean } | null {
  const merged = new Map<string, Json>(Object.entries(first));
  for (const [keyword, value] of Object.entries(second)) {
    const present = merged.get(keyword);
    const both = present === undefined ? value : mergeValues(keyword, present, value);
    if (both === undefined) return null;
    merged.set(keyword, both);
  }
  // What one says of all other properties and items holds for those that the other names, too: here it does not.
  const wider = ["properties", "prefixItems", "nullable"].some(
    (keyword) => stableJson(first[keyword] ?? null) !== stableJson(second[keyword] ?? null),
  );
  return { node: Object.fromEntries(merged), wider };
}

function mergeValues(keyword: string, first: Json, second: Json): Json | undefined {
  if (annotations.has(keyword)) return second;
  if (stableJson(first) === stableJson(second)) return first;
  if (keyword === "required" && Array.isArray(first) && Array.isArray(second)) {
    return [...new Set([...first, ...second])];
  }
  if (keyword !== "properties" || !isObject(first) || !isObject(second)) return undefined;
  const properties = new Map<string, Json>(Object.entries(first as JsonObject));
  for (const [name, schema] of Object.entries(second as JsonObject)) {
    const present = properties.get(name);
    if (present !== undefined && stableJson(present) !== stableJson(schema)) return undefined;
    properties.set(name, schema);
  }
  return Object.fromEntries(properties);
}
