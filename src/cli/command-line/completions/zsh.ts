import type { CommandEntry, OptionSpec } from "../spec.ts";
import { commands } from "../table.ts";
import { firstOffers, type Offer, optionsOf, secondOffers, wordOffers } from "./offers.ts";

/** A text inside single quotes, in which `:` and brackets are the completion's own. */
function quotedText(text: string): string {
  return text.replace(/[\\:[\]]/g, "\\$&").replaceAll("'", "'\\''");
}

function describe(name: string, offers: readonly Offer[]): string {
  const list = offers.map(({ word, help }) => `'${word}:${quotedText(help)}'`).join(" ");
  return `local -a offers; offers=(${list}); _describe ${name} offers`;
}

function optionText({ name, value, optional, repeat, help, complete }: OptionSpec): string {
  const action =
    complete === undefined
      ? ""
      : complete === "file"
        ? "_files"
        : complete === "folder"
          ? "_files -/"
          : `(${complete.join(" ")})`;
  const what = value === undefined ? "" : `${optional === undefined ? "" : ":"}:${value}:${action}`;
  return `'${repeat === true ? "*" : ""}--${name}[${quotedText(help)}]${what}'`;
}

function commandLines(command: CommandEntry): string {
  const skip = command.name.split(" ").length;
  const words = wordOffers(command);
  const action = command.words.some(({ complete }) => complete === "file")
    ? "_files"
    : `(${words.join(" ")})`;
  const positional =
    command.words.length === 0 ? [] : [`'*:${quotedText(command.words[0]?.name ?? "")}:${action}'`];
  const specs = [...optionsOf(command).map(optionText), ...positional].join(" \\\n        ");
  const pattern = skip === 2 ? `"${command.name}"` : `"${command.name} "*`;
  return `    ${pattern})
      shift ${skip} words; (( CURRENT -= ${skip} ))
      _arguments -s \\
        ${specs} ;;`;
}

export function zshScript(): string {
  const [run] = commands.filter(({ name }) => name === "run");
  const runOptions = (run === undefined ? [] : optionsOf(run)).map(optionText).join(" \\\n        ");
  const verbs = [...secondOffers()].map(
    ([first, offers]) =>
      `  if [[ $CURRENT -eq 3 && $words[2] == ${first} ]]; then ${describe("command", offers)}; return; fi`,
  );
  return `#compdef drawbridge
# Completions of drawbridge for zsh: write this to a file _drawbridge in a folder of $fpath.
_drawbridge() {
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then ${describe("command", firstOffers())}; return; fi
${verbs.join("\n")}
  case "$words[2] $words[3]" in
${commands.map(commandLines).join("\n")}
    *) _arguments -s \\
        ${runOptions} ;;
  esac
}
if [ "$funcstack[1]" = "_drawbridge" ]; then _drawbridge "$@"; else compdef _drawbridge drawbridge; fi
`;
}
