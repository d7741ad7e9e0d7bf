import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

// By construction: who can send a call is found in the source itself, so that another way to a server fails here before
// anybody has thought of an attack on it. Servers and models for tests (`testing/`) are the other side of the wire.

const root = resolve(import.meta.dirname, "../../src");
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

const sources: readonly (readonly [file: string, code: string])[] = readdirSync(root, {
  recursive: true,
  encoding: "utf8",
})
  .map((file) => file.split(sep).join("/"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("testing/"))
  .map((file) => [file, readFileSync(join(root, file), "utf8").replace(comments, "")]);

/** The files whose code fits, in order. */
function filesWith(pattern: RegExp): readonly string[] {
  return sources.flatMap(([file, code]) => (pattern.test(code) ? [file] : [])).toSorted();
}

/** The files that import a name out of a file of ours; types count only with `types`. */
function importersOf(name: string, from: string): readonly string[] {
  const pattern = /import\s+(type\s+)?\{([^}]*)\}\s+from\s+"([^"]+)"/g;
  return sources
    .filter(([file, code]) =>
      [...code.matchAll(pattern)].some(([, onlyTypes, names = "", specifier = ""]) => {
        const named = names.split(",").map((one) => one.trim());
        const target = relative(root, resolve(root, file, "..", specifier));
        return onlyTypes === undefined && named.includes(name) && target.split(sep).join("/") === from;
      }),
    )
    .map(([file]) => file)
    .toSorted();
}

test("the SDK is loaded in one place, and its clients reach no other layer than the connections", () => {
  expect(
    filesWith(/import\("@modelcontextprotocol\/client"\)/).filter((file) => file !== "connections/sdk.ts"),
  ).toEqual([]);
  const users = filesWith(/from "@modelcontextprotocol\/|import\("@modelcontextprotocol\//);
  expect(users.filter((file) => !file.startsWith("connections/"))).toEqual([]);
  const atRunTime = filesWith(/^import (?!type\b)[^;]*"@modelcontextprotocol\//m);
  expect(atRunTime).toEqual([]);
});

test("two files send `tools/call`; all others that name it only read answers, limits or traces", () => {
  expect(filesWith(/["'`]tools\/call["'`]/)).toEqual([
    "connections/call.ts",
    "connections/direct-call.ts",
    // Which reader takes an answer, whether a request may be repeated, and what a span is named.
    "connections/ingest-answer.ts",
    "connections/mcp-fetch.ts",
    "telemetry/call-spans.ts",
  ]);
  expect(filesWith(/\.callTool\(/)).toEqual(["connections/call.ts"]);
});

test("the senders are reached through the connection of a server, and that through the host's one way to all servers", () => {
  expect(importersOf("callTool", "connections/call.ts")).toEqual(["connections/server.ts"]);
  expect(importersOf("createDirectCalls", "connections/direct-call.ts")).toHaveLength(1);
  // Whatever else is sent as a request of the SDK goes through these: other methods, and the states of a task.
  expect(filesWith(/\.request\(/)).toEqual([
    "connections/ask.ts",
    "connections/call.ts",
    "connections/tasks/request-task.ts",
  ]);
  expect(filesWith(/\bconnections\.call\(/)).toEqual(["host.ts", "host/resource-tools.ts"]);
});

test("the executor is the only one that calls a server, and only it can carry a call out", () => {
  expect(filesWith(/\bsettings\.call\(/)).toEqual(["execution/executor.ts"]);
  expect(importersOf("attemptCall", "execution/attempt.ts")).toEqual(["execution/executor.ts"]);
  expect(importersOf("createExecutor", "execution/executor.ts")).toEqual(["host/run-ports.ts"]);
  expect(filesWith(/\bexecutor\.execute\(/)).toEqual([
    // Reads of resources and prompts, and the calls of models and of persons.
    "host/perform-read.ts",
    "loop/settle.ts",
    // Hands on what it is given, with a span around it.
    "telemetry/call-spans.ts",
  ]);
});

test("a call is stamped in one place, which consent alone reaches", () => {
  expect(filesWith(/\bas (?:unknown as )?ApprovedCall\b/)).toEqual(["consent/stamp.ts"]);
  expect(importersOf("createStamps", "consent/stamp.ts")).toEqual(["consent/consent.ts"]);
  expect(filesWith(/\.stamp\(/)).toEqual(["consent/consent.ts"]);
  // `type: "approved"` is what lets a call go on.
  expect(filesWith(/\btype: "approved",/)).toEqual(["consent/consent.ts"]);
});

test("the command line has no way to servers beside the host's", () => {
  const parts = /"(?:\.\.\/)+(?:connections|execution|consent|loop|host)(?:\/[\w/-]+)?\.ts"/;
  expect(filesWith(parts).filter((file) => file.startsWith("cli/"))).toEqual([]);
});
