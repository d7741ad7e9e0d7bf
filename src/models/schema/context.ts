import type { Json, JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import type { SchemaDialect } from "./dialect.ts";
import type { KeyRenames } from "./rename.ts";

/** What one lowering knows about the whole schema. */
export interface SchemaContext {
  /** The original: local references point into it. */
  readonly root: JsonObject;
  /** Draft 4 to 7, where `$ref` makes its neighbours void. */
  readonly legacy: boolean;
  readonly dialect: SchemaDialect;
  readonly renames: KeyRenames;
  /** References whose targets are being written in their place: one inside of itself is cut. */
  readonly open: Set<string>;
  /** Whether the root lost combinators, so that it is wider, and the properties of it that they made narrower. */
  rootIsMerged: boolean;
  narrowed: ReadonlySet<string>;
  /** Schemas that no reference may lead to, for they lead back to themselves. */
  readonly circular: ReadonlySet<unknown>;
  /** Nodes that may still be written in the place of references. */
  nodesLeft: number;
  /**
   * Grows each time something is widened. Where a wider part would make the whole narrower (`not`, `if`, `oneOf`), it
   * tells that the part is no longer what it was.
   */
  losses: number;
  /** What kept references lead to, as far as it was looked at. */
  readonly targets: Map<string, ReferenceTarget>;
  /** Kept references of a target that is only looked at; null while the schema itself is lowered. */
  readonly references: Set<string> | null;
}

/** What the target of a reference is once it is lowered. */
export interface ReferenceTarget {
  /** Whether it became wider, apart from what it refers to. */
  readonly widened: boolean;
  readonly references: ReadonlySet<string>;
}

/** Whether a value can stand where a schema is expected. */
export function isSchema(value: unknown): value is JsonObject | boolean {
  return isObject(value) || typeof value === "boolean";
}

/** Keywords with one schema as their value. */
export const schemaKeywords: ReadonlySet<string> = new Set(
  (
    "additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else " +
    "contentSchema items"
  ).split(" "),
);

/** Keywords with a list of schemas. */
export const schemaListKeywords: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);

/** Keywords with schemas by name. */
export const namedSchemaKeywords: ReadonlySet<string> = new Set(
  "properties patternProperties dependentSchemas $defs definitions".split(" "),
);

/** The parts of a local JSON pointer (`#/a/b`), or null when the reference is of another kind. */
export function pointerTokens(reference: string): string[] | null {
  if (reference === "#") return [];
  if (!reference.startsWith("#/")) return null;
  try {
    return reference
      .slice(2)
      .split("/")
      .map((token) => decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~"));
  } catch {
    return null;
  }
}

/** The schema that a local reference points to, or undefined when it points nowhere or to something else. */
export function resolvePointer(root: Json, tokens: readonly string[]): JsonObject | boolean | undefined {
  let node: unknown = root;
  for (const token of tokens) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, token)) return undefined;
    node = (node as Record<string, unknown>)[token];
  }
  return isSchema(node) ? node : undefined;
}

/** The properties of a schema that are others in the one that it became. */
export function changedProperties(before: JsonObject, after: JsonObject): ReadonlySet<string> {
  if (before === after || !isObject(before.properties)) return new Set();
  const names = Object.keys(before.properties).filter((name) => {
    const [one, other] = [before, after].map((schema) => resolvePointer(schema, ["properties", name]));
    return one !== other && JSON.stringify(one) !== JSON.stringify(other);
  });
  return new Set(names);
}

/**
 * The reference with the names that are sent, or null when it does not lead to a schema, or leads through a place that
 * the lowered schema does not have.
 */
export function lowerReference(reference: string, context: SchemaContext): string | null {
  const tokens = pointerTokens(reference);
  const target = tokens === null ? undefined : resolvePointer(context.root, tokens);
  if (tokens === null || target === undefined || context.circular.has(target)) return null;
  if (tokens[0] === "properties" && context.narrowed.has(tokens[1] ?? "")) return null;
  const sent: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const keyword = tokens[at] ?? "";
    sent.push(keyword);
    if (namedSchemaKeywords.has(keyword)) {
      at += 1;
      const name = tokens[at] ?? "";
      sent.push(keyword === "properties" ? context.renames.send(name) : name);
    } else if (keyword === "anyOf" || keyword === "allOf" || keyword === "prefixItems") {
      if (at === 0) return null;
      at += 1;
      sent.push(tokens[at] ?? "");
    } else if (keyword !== "items" && keyword !== "additionalProperties") return null;
  }
  const encoded = sent.map(encodePointer);
  return encoded.includes(null) ? null : ["#", ...encoded].join("/");
}

/** A name as a token of a JSON pointer in a fragment, or null: half a surrogate pair has no encoding. */
export function encodePointer(token: string): string | null {
  try {
    return encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1")).replaceAll("%24", "$");
  } catch {
    return null;
  }
}
