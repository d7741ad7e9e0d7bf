import type { CommandEntry, OptionSpec } from "../spec.ts";
import { commands } from "../table.ts";
import { firstOffers, optionsOf, secondOffers, wordOffers } from "./offers.ts";

const quotedText = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

/** When the words before say that it is this command. */
function condition(name: string): string {
  return name
    .split(" ")
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join("; and ");
}

function optionLine(when: string, { name, short, value, optional, help, complete }: OptionSpec): string {
  const takes = value === undefined || optional !== undefined ? "" : complete === "file" ? " -r -F" : " -x";
  const offers = Array.isArray(complete) ? ` -a ${quotedText(complete.join(" "))}` : "";
  const letter = short === undefined ? "" : ` -s ${short}`;
  return `complete -c drawbridge -n ${quotedText(when)}${letter} -l ${name}${takes}${offers} -d ${quotedText(help)}`;
}

function commandLines(command: CommandEntry): string[] {
  const when = condition(command.name);
  const words = wordOffers(command);
  const files = command.words.some(({ complete }) => complete === "file");
  return [
    ...optionsOf(command).map((option) => optionLine(when, option)),
    // Its name may be left out.
    ...(command.name === "run" ? command.options : []).map((option) =>
      optionLine("__fish_use_subcommand", option),
    ),
    ...(words.length === 0
      ? []
      : [`complete -c drawbridge -n ${quotedText(when)} -a ${quotedText(words.join(" "))}`]),
    ...(files ? [`complete -c drawbridge -n ${quotedText(when)} -F`] : []),
  ];
}

export function fishScript(): string {
  const first = firstOffers().map(
    ({ word, help }) =>
      `complete -c drawbridge -n __fish_use_subcommand -a ${quotedText(word)} -d ${quotedText(help)}`,
  );
  const second = [...secondOffers()].flatMap(([word, offers]) =>
    offers.map(
      (offer) =>
        `complete -c drawbridge -n '__fish_seen_subcommand_from ${word}' -a ${quotedText(offer.word)} -d ${quotedText(offer.help)}`,
    ),
  );
  return `# Completions of drawbridge for fish: write this to ~/.config/fish/completions/drawbridge.fish
complete -c drawbridge -f
${[...first, ...second, ...commands.flatMap(commandLines)].join("\n")}
`;
}
