import { didYouMean } from "../../../util/closest.ts";
import { type CommandEntry, shells, usageError } from "../spec.ts";
import { quoted } from "../words.ts";

export const completionSpec: CommandEntry = {
  name: "completion",
  section: "Shell",
  summary: "print what a shell needs to complete commands and options",
  words: [{ name: "SHELL", complete: shells }],
  options: [],
  about: [
    "Prints the completions for bash, zsh or fish.",
    "bash: add the line of the example to ~/.bashrc. zsh: write the output to a file _drawbridge in a folder of $fpath. fish: write it to ~/.config/fish/completions/drawbridge.fish.",
  ],
  example: 'eval "$(drawbridge completion bash)"',
  parse({ positionals: [word = ""] }) {
    const shell = shells.find((name) => name === word);
    if (shell !== undefined) return { type: "completion", shell };
    const meant = didYouMean(word, shells, "drawbridge completion ");
    throw usageError(`There are completions for bash, zsh and fish, not for ${quoted(word)}.${meant}`);
  },
};
