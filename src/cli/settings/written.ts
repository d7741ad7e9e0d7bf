import type { ServerConfig } from "../../types/config.ts";
import type { SettingOrigin } from "../../types/settings.ts";
import { visibleLine } from "../../util/visible.ts";

const plainWord = /^[\w@%+=:,./-]+$/;
const secretName = /key|token|secret|passw|auth(?!ors?\b)|credential|cookie/i;
const variable = /\$\{[^}]*\}/;

/** A word of a command line, escaped: in quotes where it would not be read as one word. */
export function wordText(word: string): string {
  return plainWord.test(word) ? word : visibleLine(JSON.stringify(word));
}

/** A text as one word of a POSIX shell, escaped for the screen: it can be pasted, and nothing in it is expanded. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : `'${visibleLine(text).replaceAll("'", "'\\''")}'`;
}

/** The whole command line or URL as it is written in the config, escaped, nothing cut. */
export function targetText(written: ServerConfig): string {
  if ("command" in written) return [written.command, ...(written.args ?? [])].map(wordText).join(" ");
  return "url" in written ? visibleLine(written.url) : "a transport of the program's own";
}

/** A value that is written out in a config: only how long it is. One that names its variables shows them. */
export function hiddenValue(value: string): string {
  return variable.test(value) && value.replace(variable, "").trim().length < 8
    ? visibleLine(value)
    : `⟨${value.length} chars⟩`;
}

/** A value of the environment as a person sees it who decides: whole, because it can change what runs, unless its name speaks of a secret. */
export function shownValue(name: string, value: string): string {
  return secretName.test(name) ? hiddenValue(value) : wordText(value);
}

/** Where a setting was written: `FILE:LINE`, the flag, the variable. */
export function originText(origin: SettingOrigin): string {
  switch (origin.type) {
    case "default":
      return "default";
    case "project":
    case "user":
      return `${visibleLine(origin.file)}:${origin.line}`;
    case "environment":
      return visibleLine(origin.variable);
    case "flag":
      return visibleLine(origin.flag);
  }
}
