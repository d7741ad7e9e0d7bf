import { createHash } from "node:crypto";
import { isObject } from "../../util/own.ts";
import { countedParts } from "./count-tokens.ts";
import { modelFacts } from "./model-facts.ts";
import type { WireObject } from "./rules/request-view.ts";

/** Tokens of a request's input, as `usage` states them. */
export interface CacheUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

/** How many blocks before a breakpoint are looked at for a prefix that is in the cache. */
const lookback = 20;

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
      const least = modelFacts(request.model).cacheTokens;
      let end = read;
      for (const at of breakpoints) {
        const unit = units[at];
        if (unit === undefined || unit.total < least) continue;
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

function unitsOf(request: WireObject): Unit[] {
  let prefix = createHash("sha256").update(String(request.model)).digest("hex");
  let total = 0;
  const parts = countedParts(request);
  return parts.map(({ label, text, tokens, breakpoint }, index) => {
    prefix = createHash("sha256").update(`${prefix}${label}${text}`).digest("hex");
    total += tokens;
    // The automatic breakpoint is on the last block of the request.
    const automatic = isObject(request.cache_control) && index === parts.length - 1;
    return { total, breakpoint: breakpoint || automatic, prefix };
  });
}
