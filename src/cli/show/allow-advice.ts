import { shellWord } from "../../util/shell-word.ts";

/**
 * The options that would allow what was denied, as they can be pasted: what the model and the server named is not
 * expanded by a shell. Empty when no rule would.
 */
export function allowAdvice(missingRules: readonly string[]): string {
  if (missingRules.length === 0) return "";
  const options = missingRules.map((rule) => `--allow${rule.startsWith("-") ? "=" : " "}${shellWord(rule)}`);
  return ` To allow: ${options.join(" ")}`;
}
