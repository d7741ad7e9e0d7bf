import { sha256Hex } from "../../util/hash.ts";
import { wireName } from "../wire/call-id.ts";
import type { EncodedTools } from "../wire/tools.ts";

/** Most characters of a function's name: the documentation says 128, refusals in the field say 64. */
const longestName = 64;
const suffixLength = 11;

/**
 * The name of a function for an alias. Gemini wants a letter or an underscore first: other aliases, and those that
 * begin with an underscore themselves, get one in front, so that no two names meet.
 */
export function functionName(alias: string): string {
  if (/^[a-zA-Z]/.test(alias)) return alias;
  const name = `_${alias}`;
  if (name.length <= longestName) return name;
  return `${name.slice(0, longestName - suffixLength)}_${sha256Hex(alias).slice(0, suffixLength - 1)}`;
}

/** The same for the name in a stored call, which any model may have made up. */
export function storedFunctionName(name: string): string {
  return functionName(wireName(name));
}

/** The alias that a function's name stands for; a name that nobody gave is its own. */
export function aliasOf(name: string, { tools }: EncodedTools): string {
  if (!name.startsWith("_")) return name;
  return tools.find(({ alias }) => functionName(alias) === name)?.alias ?? name;
}
