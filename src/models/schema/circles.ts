import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import { isSchema, pointerTokens, resolvePointer } from "./context.ts";

/** Keywords whose schemas are about the same value as the node that they stand in. */
const inPlace: readonly string[] = [
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
];

/**
 * Schemas that lead back to themselves without a step into the value: whoever follows one never ends. They mean nothing,
 * and a reference to one has to be cut.
 */
export function circularTargets(root: JsonObject): ReadonlySet<unknown> {
  const circular = new Set<unknown>();
  const done = new Set<unknown>();
  const onPath = new Set<unknown>();
  for (const start of referencedIn(root)) {
    const steps: { node: unknown; leave: boolean }[] = [{ node: start, leave: false }];
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      const { node, leave } = step;
      if (leave) {
        onPath.delete(node);
        done.add(node);
        continue;
      }
      if (onPath.has(node)) circular.add(node);
      if (onPath.has(node) || done.has(node)) continue;
      onPath.add(node);
      steps.push({ node, leave: true });
      for (const next of stepsFrom(node, root)) steps.push({ node: next, leave: false });
    }
  }
  return circular;
}

/** What every reference of the schema leads to. */
function referencedIn(root: JsonObject): Set<unknown> {
  const found = new Set<unknown>();
  const look = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) look(item);
    if (!isObject(value)) return;
    const target = targetOf(value as JsonObject, root);
    if (target !== undefined) found.add(target);
    for (const member of Object.values(value as JsonObject)) look(member);
  };
  look(root);
  return found;
}

function targetOf({ $ref }: JsonObject, root: JsonObject): JsonObject | boolean | undefined {
  const tokens = typeof $ref === "string" ? pointerTokens($ref) : null;
  return tokens === null ? undefined : resolvePointer(root, tokens);
}

/** The schemas that hold for the same value as a node does. */
function stepsFrom(node: unknown, root: JsonObject): Json[] {
  if (!isObject(node)) return [];
  const target = targetOf(node as JsonObject, root);
  const members = inPlace.flatMap((keyword): Json[] => {
    const value = (node as JsonObject)[keyword];
    if (Array.isArray(value)) return value;
    if (keyword === "dependentSchemas") return isObject(value) ? Object.values(value as JsonObject) : [];
    return value !== undefined && isSchema(value) ? [value] : [];
  });
  return target === undefined ? members : [target, ...members];
}
