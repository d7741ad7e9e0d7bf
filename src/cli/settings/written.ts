import type { ServerConfig } from "../../types/config.ts";
import type { SettingOrigin } from "../../types/settings.ts";
import { visibleLine } from "../../util/visible.ts";

const plainWord = /^[\w@%+=:,./-][\w@%+=:,./-]*$/;
const secretName = /key|token|secret|passw|auth(?!ors?\b)|credential|cookie/i;
const variable = /\$\{[^}]{1,500}\}/g;

/** A word of a command line, escaped: in quotes where it would not be read as one word. */
function wordText(word: string): string {
  return plainWord.test(word) ? word : visibleLine(JSON.stringify(word));
}

/** The whole command line or URL as it is written in the config, escaped, nothing cut. */
export function targetText(written: ServerConfig): string {
  if ("command" in written) return [written.command, ...(written.args ?? [])].map(wordText).join(" ");
  return "url" in written ? visibleLine(written.url) : "a transport of the program's own";
}

/** A value that is written out in a config: only how long it is. One that names its variables shows them. */
export function hiddenValue(value: string): string {
  const besides = value.replace(variable, "");
  return besides !== value && besides.trim().length < 8 ? visibleLine(value) : `⟨${value.length} chars⟩`;
}

/** The words of a command line, with those hidden that an option or a name calls a secret. */
export function shownArguments(args: readonly string[]): string[] {
  return args.map((word, index) => {
    const at = word.indexOf("=");
    if (at > 0 && secretName.test(word.slice(0, at))) {
      return `${word.slice(0, at)}=${hiddenValue(word.slice(at + 1))}`;
    }
    const before = args[index - 1] ?? "";
    const named = before.startsWith("-") && !before.includes("=") && secretName.test(before);
    return named && !word.startsWith("-") ? hiddenValue(word) : word;
  });
}

/** A URL with its user, its password and the values of its query hidden where they are written out. */
export function shownUrl(url: string): string {
  return url
    .replace(
      /^([a-z][a-z\d+.-]*:\/\/)([^/?#@]*)@/i,
      (_found, scheme: string, user: string) => `${scheme}${user.split(":").map(hiddenValue).join(":")}@`,
    )
    .replace(
      /([?&][^?=&#]*=)([^&#][^&#]*)/g,
      (_found, name: string, value: string) => `${name}${hiddenValue(value)}`,
    );
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
    case "administrator":
      return `${visibleLine(origin.file)}:${origin.line}`;
    case "environment":
      return visibleLine(origin.variable);
    case "flag":
      return visibleLine(origin.flag);
  }
}
