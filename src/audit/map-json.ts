import type { Json } from "../types/json.ts";

/** How the texts of a JSON value are replaced. */
export interface JsonMapping {
  /** Replaces strings, keys included. */
  readonly text: (text: string) => string;
  /** Levels that are kept; what lies deeper becomes one sentence. Default: all. */
  readonly maxDepth?: number;
}

type Container = Json[] | Record<string, Json>;

interface Pending {
  readonly source: readonly Json[] | Readonly<Record<string, Json>>;
  readonly target: Container;
  readonly depth: number;
}

/** Defines the member whatever its name: `__proto__` is a name like any other. */
function put(target: Container, key: string | number, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A key that the target does not have yet, so that no member is lost when two keys become the same text. */
function freeKey(target: Container, wanted: string, index: number): string {
  let key = wanted;
  for (let count = index; Object.hasOwn(target, key); count += 1) key = `${wanted} (${count})`;
  return key;
}

/** A copy of a JSON value with its texts replaced. Uses no recursion: nesting may be as deep as memory allows. */
export function mapJson(value: Json, mapping: JsonMapping): Json {
  const { text, maxDepth = Number.POSITIVE_INFINITY } = mapping;
  const pending: Pending[] = [];

  function copy(source: Json, depth: number): Json {
    if (typeof source === "string") return text(source);
    if (typeof source === "number") {
      const digits = String(source);
      const shown = text(digits);
      return shown === digits ? source : shown;
    }
    if (typeof source !== "object" || source === null) return source;
    if (depth > maxDepth) return `(what lies deeper than ${maxDepth} levels is left out)`;
    const target: Container = Array.isArray(source) ? [] : {};
    pending.push({ source: source as Pending["source"], target, depth });
    return target;
  }

  const root = copy(value, 1);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { source, target, depth } = next;
    if (Array.isArray(target)) {
      for (const member of source as readonly Json[]) target.push(copy(member, depth + 1));
    } else {
      for (const [index, [key, member]] of Object.entries(source).entries()) {
        put(target, freeKey(target, text(key), index + 1), copy(member, depth + 1));
      }
    }
  }
  return root;
}
