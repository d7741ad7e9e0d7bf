// The main job on an example: two real MCP servers, one question, the answer; at a terminal it can go on
// from there. Installs and builds what is missing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const project = "examples/todo-project";
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

const question = "Find all TODO comments in the project and create a summary";
const servers = [
  "--server",
  `workspace=node examples/workspace-server/server.mjs ${project}`,
  "--server",
  `filesystem=node node_modules/@modelcontextprotocol/server-filesystem/dist/index.js ${project}`,
  "--trust",
  "workspace",
  "--trust",
  "filesystem",
];

/** A word as a shell takes it; these hold no quotes or `$`. */
const quoted = (word) => (/^[\w./=-]+$/.test(word) ? word : `"${word}"`);

await prepare();

const key = process.env.ANTHROPIC_API_KEY?.trim();
process.stderr.write(
  key
    ? "ANTHROPIC_API_KEY is set: Claude answers.\n"
    : "ANTHROPIC_API_KEY is not set: the built-in offline model answers (fixed rules, no language model).\n",
);

/** Runs the command as if it was typed; resolves with its exit code. */
function drawbridge(words) {
  process.stderr.write(`\n$ node dist/cli/main.js ${words.map(quoted).join(" ")}\n\n`);
  const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...words], {
    cwd: root,
    stdio: "inherit",
  });
  const passOn = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, passOn);
  return new Promise((resolve) => {
    const end = (code) => {
      for (const signal of signals) process.off(signal, passOn);
      resolve(code);
    };
    child.on("error", (error) => {
      process.stderr.write(`The command could not be started: ${error.message}\n`);
      end(1);
    });
    child.on("exit", (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/** Asks at the terminal; no answer is a no. */
async function isWanted(what) {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = once(lines, "close").then(() => "");
  const answer = await Promise.race([lines.question(`\n${what} [y/N] `), ended]);
  lines.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

process.exitCode = await drawbridge([question, ...servers]);
if (process.exitCode === 0 && process.stdin.isTTY && process.stderr.isTTY) {
  if (await isWanted("Go on in a chat with these servers?")) {
    process.exitCode = await drawbridge(["chat", ...servers]);
  }
}
