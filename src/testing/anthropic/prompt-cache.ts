import { createHash } from "node:crypto";
import { isObject } from "../../util/own.ts";
import { objectsOf, type WireObject } from "./rules/request-view.ts";

/** Tokens of a request's input, as `usage` states them. A token is four bytes of JSON here. */
export interface CacheUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

/** How many blocks before a breakpoint are looked at for a prefix that is in the cache. */
const lookback = 20;

/** Prefixes shorter than this many tokens are not cached. */
const minimumTokens = 512;

interface Unit {
  /** Tokens of everything up to and with this unit. */
  readonly total: number;
  readonly breakpoint: boolean;
  /** Hash of everything up to and with this unit. */
  readonly prefix: string;
}

/** The prompt cache of the API, for one account. It forgets nothing: tests are shorter than its five minutes. */
export interface PromptCache {
  /** Counts the tokens of a request, and caches the prefixes at its breakpoints. */
  account(request: WireObject): CacheUsage;
}

export function createPromptCache(): PromptCache {
  const cached = new Set<string>();
  return {
    account(request) {
      const units = unitsOf(request);
      const total = units.at(-1)?.total ?? 0;
      const breakpoints = units.flatMap((unit, index) => (unit.breakpoint ? [index] : []));
      let read = 0;
      for (const at of breakpoints) {
        for (let index = at; index >= 0 && index > at - lookback; index -= 1) {
          const unit = units[index];
          if (unit === undefined || !cached.has(unit.prefix)) continue;
          read = Math.max(read, unit.total);
          break;
        }
      }
      let end = read;
      for (const at of breakpoints) {
        const unit = units[at];
        if (unit === undefined || unit.total < minimumTokens) continue;
        cached.add(unit.prefix);
        end = Math.max(end, unit.total);
      }
      return {
        input_tokens: total - end,
        cache_creation_input_tokens: end - read,
        cache_read_input_tokens: read,
      };
    },
  };
}

/** Tools, system and messages, block by block, in the order in which the API reads them. */
function unitsOf(request: WireObject): Unit[] {
  const parts: { readonly label: string; readonly item: unknown }[] = [
    ...objectsOf(request.tools).map((item) => ({ label: "tool", item })),
    ...listOf(request.system).map((item) => ({ label: "system", item })),
    ...objectsOf(request.messages).flatMap((message) =>
      listOf(message.content).map((item) => ({ label: String(message.role), item })),
    ),
  ];
  let prefix = createHash("sha256").update(String(request.model)).digest("hex");
  let total = 0;
  return parts.map(({ label, item }) => {
    const { cache_control: control, ...rest } = isObject(item) ? item : { text: item };
    const text = JSON.stringify(rest);
    prefix = createHash("sha256").update(`${prefix}${label}${text}`).digest("hex");
    total += Math.ceil(Buffer.byteLength(text) / 4);
    return { total, breakpoint: isObject(control), prefix };
  });
}

function listOf(value: unknown): readonly unknown[] {
  if (typeof value === "string") return value === "" ? [] : [{ type: "text", text: value }];
  return Array.isArray(value) ? value : [];
}
