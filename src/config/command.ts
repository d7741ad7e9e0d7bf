import { HostError } from "../errors.ts";

/**
 * Splits a command line into words as a shell would: quotes group, a backslash takes the next character as it is.
 * Nothing is expanded and no shell is started.
 * @throws HostError `config_invalid` when a quote is left open or there is no word at all.
 */
export function parseCommand(text: string): [string, ...string[]] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  let opened = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (quote !== null) {
      if (character === quote) quote = null;
      else if (character === "\\" && quote === '"' && index + 1 < text.length) word += text.charAt(++index);
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      opened = index;
      word ??= "";
    } else if (character === "\\" && index + 1 < text.length) word = (word ?? "") + text.charAt(++index);
    else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + character;
  }
  if (quote !== null)
    // Never the text itself: a command may hold a secret.
    throw new HostError(
      "config_invalid",
      `The command has an open quote (${quote}), its character ${opened + 1}: close it, or write \\${quote}`,
    );
  if (word !== null) words.push(word);
  const [command, ...args] = words;
  if (command === undefined || command === "") throw new HostError("config_invalid", "The command is empty.");
  return [command, ...args];
}

/** Programs that run another one: the server is what they are told to run. */
const launchers = new Set([
  "npx",
  "npm",
  "pnpm",
  "yarn",
  "bunx",
  "bun",
  "uvx",
  "uv",
  "node",
  "python",
  "python3",
  "deno",
]);
const launcherWords = new Set(["exec", "dlx", "run", "x", "tool", "--"]);
/** File names that say nothing; the folder above says more. */
const plainFiles = new Set(["index", "main", "server", "cli", "dist", "build", "src", "lib", "bin"]);

/**
 * A server's id from its command: the package's name without scope and version, or the name of the script.
 * `npx -y @scope/server-x@1.2 arg` is `server-x`, `node tools/weather/server.mjs` is `weather`.
 */
export function serverIdFromCommand(words: readonly string[]): string {
  const [first = "server", ...rest] = words;
  const program = baseName(first).toLowerCase();
  const launched = rest.find((word) => !word.startsWith("-") && !launcherWords.has(word));
  const target = launchers.has(program) && launched !== undefined ? launched : first;
  const parts = target.split(/[\\/]/).filter((part) => part !== "" && part !== "." && part !== "..");
  if (/^@[^/]+\/[^/]+$/.test(target)) return withoutVersion(parts[1] ?? target);
  const names = parts.map((part) => withoutVersion(part).replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, ""));
  const telling = names.findLast((name) => !plainFiles.has(name.toLowerCase()) && name !== "node_modules");
  return telling ?? names.at(-1) ?? "server";
}

function baseName(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.(?:exe|cmd)$/i, "");
}

function withoutVersion(name: string): string {
  const at = name.indexOf("@", 1);
  return at === -1 ? name : name.slice(0, at);
}
