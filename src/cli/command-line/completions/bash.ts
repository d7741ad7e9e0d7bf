import type { CommandEntry, OptionSpec } from "../spec.ts";
import { allOptions, commands } from "../table.ts";
import { firstOffers, optionsOf, secondOffers, wordOffers } from "./offers.ts";

function names(options: readonly OptionSpec[]): string {
  return options.map(({ name }) => `--${name}`).join(" ");
}

/** What to offer behind an option with a value. Nothing is known of most. */
function valueLines(): string[] {
  const valued = [...allOptions.values()].filter(({ value }) => value !== undefined);
  const plain = valued.filter(({ complete, optional }) => complete === undefined && optional === undefined);
  return valued
    .filter(({ complete }) => complete !== undefined)
    .map(({ name, complete }) => {
      if (complete === "file") return `    --${name}) _drawbridge_files -f; return ;;`;
      if (complete === "folder") return `    --${name}) _drawbridge_files -d; return ;;`;
      return `    --${name}) _drawbridge_words "${complete?.join(" ")}"; return ;;`;
    })
    .concat(`    ${plain.map(({ name }) => `--${name}`).join("|")}) return ;;`);
}

function commandLine(command: CommandEntry): string {
  const pattern = command.name.includes(" ") ? `"${command.name}"` : `"${command.name} "*`;
  const words = [...wordOffers(command), names(optionsOf(command))].join(" ");
  const files = command.words.some(({ complete }) => complete === "file") ? "; _drawbridge_files -f" : "";
  return `    ${pattern}) _drawbridge_words "${words}"${files} ;;`;
}

/** Reads `COMP_WORDS`; works in bash 3.2, which macOS has. */
export function bashScript(): string {
  const [run] = commands.filter(({ name }) => name === "run");
  const verbs = [...secondOffers()].map(
    ([first, offers]) =>
      `    ${first}) [ "$COMP_CWORD" = 2 ] && { _drawbridge_words "${offers.map(({ word }) => word).join(" ")} --help"; return; } ;;`,
  );
  return `# Completions of drawbridge for bash: eval "$(drawbridge completion bash)"
_drawbridge_words() {
  COMPREPLY+=( $(compgen -W "$1" -- "\${COMP_WORDS[COMP_CWORD]}") )
}
_drawbridge_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY+=( $(compgen "$1" -- "\${COMP_WORDS[COMP_CWORD]}") )
}
_drawbridge() {
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    _drawbridge_words "${firstOffers()
      .map(({ word }) => word)
      .join(" ")} ${names(run === undefined ? [] : optionsOf(run))} --version"
    return
  fi
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${valueLines().join("\n")}
  esac
  case "\${COMP_WORDS[1]}" in
${verbs.join("\n")}
  esac
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${commands.map(commandLine).join("\n")}
    *) _drawbridge_words "${names(run === undefined ? [] : optionsOf(run))}" ;;
  esac
}
complete -F _drawbridge drawbridge
`;
}
