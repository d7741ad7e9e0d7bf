// The main job on an example: two real MCP servers, one question, the answer. Installs and builds what is missing.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const project = "examples/todo-project";

const words = [
  "Find all TODO comments in the project and create a summary",
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
process.stderr.write(`\n$ node dist/cli/main.js ${words.map(quoted).join(" ")}\n\n`);

const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...words], {
  cwd: root,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  process.stderr.write(`The command could not be started: ${error.message}\n`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
});
