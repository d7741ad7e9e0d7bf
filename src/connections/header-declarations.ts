import { isObject } from "../util/own.ts";

const keyword = "x-mcp-header";
/** A header's name (RFC 9110, section 5.6.2). */
const token = /^[\w!#$%&'*+.^`|~-]+$/;
const primitives: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * Why a tool's `x-mcp-header` declarations break the rules, or null. Over HTTP such a tool must not be offered
 * (MCP 2026-07-28, Streamable HTTP, custom headers from tool parameters).
 */
export function headerProblem(inputSchema: unknown): string | null {
  return visit(inputSchema, "root", new Set());
}

/** What a schema describes: a property that is reached by names alone may declare a header, nothing else may. */
type Place = "root" | "property" | "elsewhere";

function visit(value: unknown, place: Place, names: Set<string>): string | null {
  if (Array.isArray(value)) return first(value, (one) => visit(one, "elsewhere", names));
  if (!isObject(value)) return null;
  return first(Object.entries(value), ([name, member]) => {
    if (name === keyword) return declarationProblem(value, place, names);
    if (name !== "properties" || !isObject(member)) return visit(member, "elsewhere", names);
    const below = place === "elsewhere" ? "elsewhere" : "property";
    return first(Object.values(member), (property) => visit(property, below, names));
  });
}

function first<T>(values: readonly T[], problemOf: (value: T) => string | null): string | null {
  for (const value of values) {
    const problem = problemOf(value);
    if (problem !== null) return problem;
  }
  return null;
}

function declarationProblem(
  schema: Record<string, unknown>,
  place: Place,
  names: Set<string>,
): string | null {
  const name = schema[keyword];
  if (place !== "property") return `Its inputSchema has ${keyword} where only a property may have it.`;
  if (typeof name !== "string" || !token.test(name))
    return `Its inputSchema has an ${keyword} that is no header name.`;
  if (!primitives.includes(schema.type)) {
    return `Its inputSchema has ${keyword} on a property that is no string, integer or boolean.`;
  }
  if (names.has(name.toLowerCase()))
    return `Its inputSchema has the ${keyword} ${JSON.stringify(name)} twice.`;
  names.add(name.toLowerCase());
  return null;
}
