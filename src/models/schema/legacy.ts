import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import type { SchemaContext } from "./context.ts";
import { annotations } from "./keywords.ts";

/** The node with the shapes of drafts 3 to 7 written as draft 2020-12 writes them. Members are not looked into. */
export function modernShape(schema: JsonObject, context: SchemaContext): JsonObject {
  const node = new Map(Object.entries(effectiveNode(schema, context)));
  exclusiveLimit(node, "minimum", "exclusiveMinimum");
  exclusiveLimit(node, "maximum", "exclusiveMaximum");
  tuple(node);
  dependencies(node, context);
  if (node.has("$dynamicRef") || node.has("$recursiveRef")) {
    node.delete("$dynamicRef");
    node.delete("$recursiveRef");
    context.losses += 1;
  }
  return Object.fromEntries(node);
}

/**
 * The node without what is void in it: before 2019 that was everything beside a `$ref`. From then on it counts, and
 * would make the schema narrower.
 */
export function effectiveNode(schema: JsonObject, context: SchemaContext): JsonObject {
  if (!context.legacy || schema.$ref === undefined) return schema;
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword]) =>
        keyword === "$ref" || keyword === "$defs" || keyword === "definitions" || annotations.has(keyword),
    ),
  );
}

/** `minimum: 5, exclusiveMinimum: true` of draft 4 is `exclusiveMinimum: 5`. */
function exclusiveLimit(node: Map<string, Json>, limit: string, exclusive: string): void {
  const flag = node.get(exclusive);
  if (typeof flag !== "boolean") return;
  const value = node.get(limit);
  node.delete(exclusive);
  if (!flag || typeof value !== "number") return;
  node.delete(limit);
  node.set(exclusive, value);
}

/** `items: [a, b], additionalItems: c` is `prefixItems: [a, b], items: c`. */
function tuple(node: Map<string, Json>): void {
  const items = node.get("items");
  const rest = node.get("additionalItems");
  node.delete("additionalItems");
  if (!Array.isArray(items)) return;
  node.delete("items");
  if (items.length > 0 && !node.has("prefixItems")) node.set("prefixItems", items);
  if (rest !== undefined) node.set("items", rest);
}

/** `dependencies` is `dependentRequired` for lists of names, and `dependentSchemas` for schemas. */
function dependencies(node: Map<string, Json>, context: SchemaContext): void {
  const found = node.get("dependencies");
  if (found === undefined) return;
  node.delete("dependencies");
  if (!isObject(found)) {
    context.losses += 1;
    return;
  }
  const entries = Object.entries(found as JsonObject);
  const merge = (keyword: string, added: [string, Json][]): void => {
    const present = node.get(keyword);
    if (added.length === 0 || (present !== undefined && !isObject(present))) return;
    node.set(keyword, { ...Object.fromEntries(added), ...(present as JsonObject | undefined) });
  };
  merge(
    "dependentRequired",
    entries.filter(([, value]) => Array.isArray(value)),
  );
  merge(
    "dependentSchemas",
    entries.filter(([, value]) => !Array.isArray(value)),
  );
}
