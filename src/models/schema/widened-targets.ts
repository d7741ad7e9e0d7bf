import type { Json, JsonObject } from "../../types/json.ts";
import { pointerTokens, type ReferenceTarget, resolvePointer, type SchemaContext } from "./context.ts";

/**
 * Whether a schema that a kept reference leads to, or one that it leads to from there, is no longer what it was: where
 * a wider part makes the whole narrower, the reference counts as wider itself.
 */
export function leadsToWidened(
  reference: string,
  context: SchemaContext,
  lower: (schema: Json, context: SchemaContext) => JsonObject | boolean,
): boolean {
  const seen = new Set([reference]);
  for (const one of seen) {
    const { widened, references } = targetOf(one, context, lower);
    if (widened) return true;
    for (const next of references) seen.add(next);
  }
  return false;
}

function targetOf(
  reference: string,
  context: SchemaContext,
  lower: (schema: Json, context: SchemaContext) => JsonObject | boolean,
): ReferenceTarget {
  const known = context.targets.get(reference);
  if (known !== undefined) return known;
  const tokens = pointerTokens(reference);
  const schema = tokens === null ? undefined : resolvePointer(context.root, tokens);
  const references = new Set<string>();
  const trial: SchemaContext = { ...context, losses: 0, references };
  if (schema !== undefined) lower(schema, trial);
  const target = { widened: trial.losses > 0, references };
  context.targets.set(reference, target);
  return target;
}
