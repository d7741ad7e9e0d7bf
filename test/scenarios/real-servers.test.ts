import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import type { SimulatedBlock } from "../../src/testing/index.ts";
import type { RunEvent } from "../../src/types/events.ts";
import type { Message, ToolResultBlock } from "../../src/types/message.ts";
import { lastTurn, startModel } from "../support/case-host.ts";
import { textOf } from "../support/run-host.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-real-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packageMain = (name: string) => `node_modules/@modelcontextprotocol/${name}/dist/index.js`;
const servers = {
  everything: { command: "node", args: [packageMain("server-everything")] },
  files: { command: "node", args: [packageMain("server-filesystem"), folder] },
  memory: {
    command: "node",
    args: [packageMain("server-memory")],
    env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
  },
  thinking: { command: "node", args: [packageMain("server-sequential-thinking")] },
};

const use = (name: string, input: object = {}): SimulatedBlock => ({ type: "tool_use", name, input });

interface Ran {
  readonly events: readonly RunEvent[];
  /** Results of each turn, in call order. */
  readonly turns: readonly (readonly ToolResultBlock[])[];
  readonly statuses: readonly number[];
}

/** Runs turns of calls against the four servers, with the strict API behind the model. */
async function runTurns(...turns: readonly (readonly SimulatedBlock[])[]): Promise<Ran> {
  await using api = await startModel([...turns.map((content) => ({ content })), lastTurn]);
  await using host = createHost({
    servers,
    model: api.model,
    state: false,
    // What each reads of this computer goes to the others here.
    policy: { rules: ["allow */*", "allow files/* path=**"], flows: "off" },
  });
  const run = host.run("go on");
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  expect(result.stop).toEqual({ type: "answered" });
  api.simulator.assertDone();
  return {
    events,
    turns: result.messages.map(resultsOf).filter((results) => results.length > 0),
    statuses: api.simulator.requests.map((request) => request.status),
  };
}

const resultsOf = (message: Message): ToolResultBlock[] =>
  message.role === "user" ? message.content.filter((block) => block.type === "tool_result") : [];

test("every kind of content of server-everything reaches the model in a request that the API accepts", async () => {
  const { turns, statuses } = await runTurns([
    use("everything__get-tiny-image"),
    use("everything__get-annotated-message", { messageType: "error", includeImage: true }),
    use("everything__get-structured-content", { location: "New York" }),
    use("everything__get-resource-links", { count: 2 }),
    use("everything__get-resource-reference", { resourceType: "Text", resourceId: 1 }),
    use("everything__get-resource-reference", { resourceType: "Blob", resourceId: 2 }),
    use("everything__get-sum", { a: 20, b: 22 }),
    use("everything__get-sum", { a: "twenty", b: 22 }),
    use("everything__gzip-file-as-resource", { data: "http://127.0.0.1:1/none" }),
    use("everything__no-such-tool"),
  ]);
  const texts = (turns[0] ?? []).map(textOf);
  expect(texts[0]).toMatch(/image you requested[\s\S]*\[image\/png\]/);
  expect(texts[1]).toMatch(/Error: Operation failed[\s\S]*\[image\/png\]/);
  expect(JSON.parse(texts[2] ?? "")).toHaveProperty("temperature");
  expect(texts[3]?.match(/demo:\/\/resource\/dynamic\//g)).toHaveLength(2);
  expect(texts[4]).toContain("plaintext resource created");
  expect(texts[5]).toContain("base64 blob created");
  expect(texts[6]).toBe("The sum of 20 and 22 is 42.");
  expect(texts[7]).toContain("must be a number");
  expect(texts[9]).toContain("no-such-tool");
  const isError = turns[0]?.map((block) => block.isError);
  expect(isError).toEqual([false, false, false, false, false, false, false, true, true, true]);
  expect(statuses).toEqual([200, 200]);
});

test("a tool that its server runs only as a task answers, its stages are progress", async () => {
  const { events, turns } = await runTurns([
    use("everything__simulate-research-query", { topic: "tides" }),
    use("everything__echo", { message: "meanwhile" }),
  ]);
  const texts = events.flatMap((event) => (event.type === "call_progress" ? [event.text] : []));
  expect(texts).toEqual(expect.arrayContaining([expect.stringContaining("...")]));
  expect(turns[0]?.map((block) => block.isError)).toEqual([false, false]);
  expect(JSON.stringify(turns[0]?.[0]?.content)).toContain("Research Report: tides");
});

test("a long operation reports its progress while other servers answer", async () => {
  const { events, turns } = await runTurns([
    use("everything__trigger-long-running-operation", { duration: 1, steps: 4 }),
    use("memory__read_graph"),
  ]);
  const progress = events.flatMap((event) => (event.type === "call_progress" ? [event.progress] : []));
  expect(progress).toEqual([1, 2, 3, 4]);
  const completed = events.flatMap((event) => (event.type === "call_completed" ? [event.callId] : []));
  expect(completed[0]).toBe(turns[0]?.[1]?.callId);
  expect(turns[0]?.map((block) => block.isError)).toEqual([false, false]);
});

test("what one turn writes to server-filesystem and server-memory the next one reads", async () => {
  const notes = join(folder, "notes.md");
  const { turns } = await runTurns(
    [
      use("files__write_file", { path: notes, content: "buy \u0007 milk\nüñï\n" }),
      use("memory__create_entities", {
        entities: [{ name: "Ann", entityType: "person", observations: ["likes milk"] }],
      }),
    ],
    [
      use("files__read_text_file", { path: notes }),
      use("files__read_text_file", { path: "/etc/hostname" }),
      use("files__list_directory", { path: folder }),
      use("memory__search_nodes", { query: "milk" }),
    ],
  );
  expect(turns[0]?.map((block) => block.isError)).toEqual([false, false]);
  expect(readFileSync(notes, "utf8")).toBe("buy \u0007 milk\nüñï\n");
  const [read, outside, listed, found] = turns[1] ?? [];
  expect(textOf(read)).toContain("üñï");
  expect(outside?.isError).toBe(true);
  expect(textOf(outside)).toMatch(/outside allowed directories/);
  expect(textOf(listed)).toContain("notes.md");
  expect(textOf(found)).toContain("likes milk");
});

test("a large argument arrives whole, and one that is too large is refused in words", async () => {
  const path = join(folder, "large.txt");
  const line = "0123456789abcde\n";
  const { turns } = await runTurns([
    use("files__write_file", { path, content: line.repeat(60_000) }),
    use("files__write_file", { path: join(folder, "larger.txt"), content: line.repeat(131_072) }),
  ]);
  expect(turns[0]?.map((block) => block.isError)).toEqual([false, true]);
  expect(textOf(turns[0]?.[1])).toContain("larger than 1 MiB");
  expect(readFileSync(path, "utf8") === line.repeat(60_000)).toBe(true);
});

test("server-sequential-thinking keeps its count from turn to turn, and takes numbers and truths written as texts", async () => {
  const thought = (text: string, thoughtNumber: unknown, nextThoughtNeeded: unknown) =>
    use("thinking__sequentialthinking", {
      thought: text,
      thoughtNumber,
      totalThoughts: 2,
      nextThoughtNeeded,
    });
  const { turns } = await runTurns([thought("a", 1, true)], [thought("b", 2, "false")]);
  const results = turns.map(([result]) => JSON.parse(textOf(result)) as unknown);
  expect(results).toMatchObject([
    { thoughtNumber: 1, nextThoughtNeeded: true, thoughtHistoryLength: 1 },
    { thoughtNumber: 2, nextThoughtNeeded: false, thoughtHistoryLength: 2 },
  ]);
});
