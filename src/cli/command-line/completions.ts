import { bashScript } from "./completions/bash.ts";
import { fishScript } from "./completions/fish.ts";
import { zshScript } from "./completions/zsh.ts";
import type { Shell } from "./spec.ts";

/** The completions of the whole table, as the shell reads them. */
export function completionScript(shell: Shell): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell]();
}
