// An MCP server that reads and searches the files of one folder and runs programs in it.
// Start: node server.mjs FOLDER
import { execFile } from "node:child_process";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const root = await realpath(process.argv[2] ?? ".");
const largestFile = 1024 * 1024; // bytes; larger files are not searched
const largestRead = 256 * 1024; // characters of one answer
const longestRun = 30_000; // milliseconds

/** The real path of a file or folder in the root. Links are followed first, so that none leads outside. */
async function inside(path) {
  const real = await realpath(resolve(root, path)).catch((error) => {
    throw new Error(error.code === "ENOENT" ? `There is no ${path} in the workspace.` : error.message);
  });
  const way = relative(root, real);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new Error(`${path} lies outside the workspace. Give a path relative to its root.`);
  }
  return real;
}

const shown = (path) => relative(root, path).split(sep).join("/");

/** All files below a folder in the order of their names. Links, .git and node_modules are left out. */
async function* filesBelow(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name === ".git" || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Whether `*` and `?` in the glob can be filled so that it becomes the text. At most glob × text steps. */
function globMatches(glob, text) {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < text.length; ) {
    if (glob[at] === "*") {
      star = at++;
      resume = index;
    } else if (glob[at] === "?" || glob[at] === text[index]) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}

/** The text of a file, or null when it is too large or binary. */
async function textOf(path) {
  if ((await stat(path)).size > largestFile) return null;
  const bytes = await readFile(path);
  return bytes.subarray(0, 8192).includes(0) ? null : bytes.toString("utf8");
}

async function searchCode({ pattern, path, glob, max_results, case_sensitive }) {
  const fold = (text) => (case_sensitive ? text : text.toLowerCase());
  const wanted = pattern
    .split("|")
    .filter((word) => word !== "")
    .map(fold);
  if (wanted.length === 0) throw new Error("The pattern is empty. Give the text to look for.");
  const start = await inside(path);
  const files = (await stat(start)).isFile() ? [start] : filesBelow(start);
  const found = [];
  let skipped = 0;
  for await (const file of files) {
    const name = shown(file);
    if (glob && !globMatches(glob.replaceAll("**/", "*"), glob.includes("/") ? name : name.split("/").pop()))
      continue;
    const text = await textOf(file);
    if (text === null) skipped++;
    for (const [index, line] of (text ?? "").split(/\r?\n/).entries()) {
      const folded = fold(line);
      if (!wanted.some((word) => folded.includes(word))) continue;
      if (found.length === max_results) {
        return `${found.join("\n")}\n(cut after ${max_results} lines: raise max_results or narrow path or glob)`;
      }
      found.push(`${name}:${index + 1}: ${line.trim().slice(0, 300)}`);
    }
  }
  const note = skipped > 0 ? `\n(${skipped} binary or large files were not searched)` : "";
  return (found.length > 0 ? found.join("\n") : `No line contains ${pattern}.`) + note;
}

async function readLines({ path, start_line, end_line }) {
  const file = await inside(path);
  if (!(await stat(file)).isFile()) throw new Error(`${path} is no file.`);
  const text = await textOf(file);
  if (text === null) throw new Error(`${path} is binary or larger than ${largestFile} bytes.`);
  const lines = text.split("\n");
  if (start_line > lines.length) throw new Error(`${path} has only ${lines.length} lines.`);
  const part = lines.slice(start_line - 1, end_line).join("\n");
  return part.length > largestRead
    ? `${part.slice(0, largestRead)}\n(cut after ${largestRead} characters: ask for fewer lines)`
    : part;
}

/** Runs a program without a shell, so that nothing in its arguments is interpreted. */
function runCommand({ program, args }, signal) {
  const limits = { cwd: root, timeout: longestRun, maxBuffer: largestRead, signal };
  return new Promise((done, fail) => {
    execFile(program, args, limits, (error, stdout, stderr) => {
      const output = [stdout, stderr].filter((text) => text !== "").join("\n");
      if (!error) return done(output || "The program ended without any output.");
      const ended = typeof error.code === "number" ? `it ended with code ${error.code}` : error.message;
      const reason = error.killed ? `it was stopped after ${longestRun} ms` : ended;
      fail(new Error(`${program} failed: ${reason}\n${output}`));
    });
  });
}

/** A tool's answer as MCP wants it: what goes wrong is a result that the model can read, too. */
function answering(work) {
  return async (given, context) => {
    try {
      return { content: [{ type: "text", text: await work(given, context.mcpReq.signal) }] };
    } catch (error) {
      return { content: [{ type: "text", text: error.message }], isError: true };
    }
  };
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

serveStdio(() => {
  const server = new McpServer({ name: "workspace", version: "1.0.0" });
  server.registerTool(
    "search_code",
    {
      title: "Search code",
      description:
        "Searches the content of the text files in the workspace, such as code and comments, and returns every line that contains the pattern as `path:line: text`.",
      inputSchema: z.object({
        pattern: z.string().describe("Text to look for; `|` separates alternatives, as in `TODO|FIXME`"),
        path: z.string().default(".").describe("Folder or file to search in, relative to the workspace"),
        glob: z
          .string()
          .optional()
          .describe("Only files with such a name or path, as in `*.ts`; `*` stands for any characters"),
        max_results: z.number().int().min(1).max(5000).default(500).describe("Most lines to return"),
        case_sensitive: z.boolean().default(true).describe("Whether upper and lower case differ"),
      }),
      annotations: reads,
    },
    answering(searchCode),
  );
  server.registerTool(
    "read_file",
    {
      title: "Read file",
      description: "Reads a text file of the workspace, the whole of it or some of its lines.",
      inputSchema: z.object({
        path: z.string().describe("File to read, relative to the workspace"),
        start_line: z.number().int().min(1).default(1).describe("First line, counted from 1"),
        end_line: z.number().int().min(1).optional().describe("Last line; without it, up to the end"),
      }),
      annotations: reads,
    },
    answering(readLines),
  );
  server.registerTool(
    "run_command",
    {
      title: "Run command",
      description:
        "Runs a program in the workspace's root folder, without a shell, and returns what it prints.",
      inputSchema: z.object({
        program: z.string().describe("Name or path of the program"),
        args: z.array(z.string()).default([]).describe("Its arguments, one string each"),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    answering(runCommand),
  );
  return server;
});
