import { expect, test } from "vitest";
import { preface } from "../../src/models/offline/answer.ts";
import { createOfflineModel } from "../../src/models/offline/model.ts";
import type { Message } from "../../src/types/message.ts";
import type { ServerTool, ToolSnapshot } from "../../src/types/tool.ts";
import { type Answerer, callsOf, question, respond, runTurns } from "./ask.ts";
import { snapshotOf } from "./servers.ts";
import { deleteFile, echo, pager, readFile, searchCode, searchFiles, sum, text, tool } from "./tools.ts";

const serverOf = (...tools: ServerTool[]): ToolSnapshot => snapshotOf([{ name: "demo", tools }]);

/** Answers by `server/tool`; a list is given one item a call. */
function answers(by: Record<string, string | Error>): Answerer {
  return async (call) => {
    const answer = by[call.tool] ?? new Error("unexpected call");
    return typeof answer === "string"
      ? { text: answer, isError: false }
      : { text: answer.message, isError: true };
  };
}

test("an answer begins by saying that it is no language model", async () => {
  for (const asked of ["Find all TODO comments", "Tell me a joke", "", "read a.txt"]) {
    const run = await runTurns(
      asked,
      serverOf(searchCode, readFile),
      answers({ "demo/search_code": "a.ts:1: // TODO: x" }),
    );
    expect(run.text.split("\n")[0]).toMatch(/^Offline model \(rules, not a language model\):/);
  }
});

test("found comments are listed by file with their line and counted by kind", async () => {
  const found = "src/a.ts:3: // TODO: one\nsrc/b.py:9:# FIXME two\nsrc/a.ts:1: /* TODO three */";
  const run = await runTurns(
    "Find all TODO comments",
    serverOf(searchCode),
    answers({ "demo/search_code": found }),
  );
  expect(run.calls.flat().map((call) => call.given)).toEqual([{ pattern: "TODO|FIXME" }]);
  expect(run.text).toContain("3 comments with TODO or FIXME in 2 files (2 TODO, 1 FIXME)");
  expect(run.text).toMatch(/src\/a\.ts \(2\)\n {2}src\/a\.ts:1: .*\n {2}src\/a\.ts:3: \/\/ TODO: one/);
  expect(run.text).toContain("src/b.py:9: # FIXME two");
});

test("a word in an identifier or a string is told apart from a comment", async () => {
  const found = 'a.ts:1: x(); // TODO_MAX of them\na.ts:2: label = "TODO";\na.ts:3: f(); // TODO: real';
  const run = await runTurns(
    "Find all TODO comments",
    serverOf(searchCode),
    answers({ "demo/search_code": found }),
  );
  expect(run.text).toContain("1 comment with TODO");
  expect(run.text.indexOf("a.ts:3")).toBeLessThan(run.text.indexOf("Not counted"));
  expect(run.text.indexOf("a.ts:1")).toBeGreaterThan(run.text.indexOf("Not counted"));
  expect(run.text.indexOf("a.ts:2")).toBeGreaterThan(run.text.indexOf("Not counted"));
});

test("a note of the tool that it cut its result reaches the answer", async () => {
  const found = "a.ts:1: // TODO: x\n(cut after 1 lines: raise max_results)";
  const run = await runTurns(
    "Find all TODO comments",
    serverOf(searchCode),
    answers({ "demo/search_code": found }),
  );
  expect(run.text).toContain("(cut after 1 lines: raise max_results)");
});

test("files that a search only named are read when their contents are wanted, and not otherwise", async () => {
  const answer = answers({
    "demo/search_files": "/w/notes.md\n/w/more.md",
    "demo/read_file": "hello from a file",
  });
  const tools = serverOf(searchFiles, readFile);
  const wanted = await runTurns("Find files named *.md and show their contents", tools, answer);
  expect(wanted.calls[1]?.map((call) => call.given)).toEqual([
    { path: "/w/notes.md" },
    { path: "/w/more.md" },
  ]);
  expect(wanted.text).toContain("hello from a file");
  const plain = await runTurns("Find files named *.md", tools, answer);
  expect(plain.calls).toHaveLength(1);
});

test("without a tool that searches in files they are listed, read and searched", async () => {
  const answer: Answerer = async (call) => {
    const file = call.given.path === "src/b.py" ? "x = 1\n# HACK: here\n" : "nothing\n";
    return {
      text: call.tool === "demo/search_files" ? "src/a.ts\nsrc/b.py\nsrc/c.png" : file,
      isError: false,
    };
  };
  const run = await runTurns("Find all HACK comments", serverOf(searchFiles, readFile), answer);
  expect(run.calls[1]?.map((call) => call.given.path)).toEqual(["src/a.ts", "src/b.py"]);
  expect(run.text).toContain("1 comment with HACK in 1 file");
  expect(run.text).toContain("src/b.py:2: # HACK: here");
});

test("several parts of a question are called in one turn", async () => {
  const run = await runTurns(
    "add 2 and 3 and echo 'hi'",
    serverOf(sum, echo),
    answers({ "demo/get-sum": "5", "demo/echo": "hi" }),
  );
  expect(run.calls).toHaveLength(1);
  expect(run.calls[0]?.map((call) => [call.tool, call.given])).toEqual([
    ["demo/get-sum", { a: 2, b: 3 }],
    ["demo/echo", { message: "hi" }],
  ]);
});

test("a shortened output is read on with the host's own tool, which is never a first step", async () => {
  const snapshot = snapshotOf([
    { name: "drawbridge", tools: [pager] },
    { name: "demo", tools: [searchCode] },
  ]);
  const note = 'The whole output is kept: read it with drawbridge__read_output {"id":"o1","offset":2}';
  const run = await runTurns(
    "Find all TODO comments",
    snapshot,
    answers({
      "demo/search_code": `a.ts:1: // TODO: x\n${note}`,
      "drawbridge/read_output": "b.ts:7: // TODO: y",
    }),
  );
  expect(run.calls.map((turn) => turn.map((call) => call.tool))).toEqual([
    ["demo/search_code"],
    ["drawbridge/read_output"],
  ]);
  expect(run.calls[1]?.[0]?.given).toEqual({ id: "o1", offset: 2 });
  expect(run.text).toContain("b.ts:7: // TODO: y");
  const asked = await respond([question('Read the tool output "o1"')], snapshot);
  expect(callsOf(asked.message, snapshot)).toEqual([]);
});

test("an error is told, and the next best tool is tried once", async () => {
  const reader = tool("view_file", "Shows a file.", { path: text }, ["path"]);
  const third = tool("cat", "Reads a file.", { path: text }, ["path"]);
  const run = await runTurns(
    "read a.txt",
    serverOf(readFile, reader, third),
    answers({
      "demo/read_file": new Error("disk on fire"),
      "demo/view_file": new Error("still on fire"),
      "demo/cat": new Error("no"),
    }),
  );
  expect(run.calls.map((turn) => turn.length)).toEqual([1, 1]);
  expect(run.text).toContain("disk on fire");
});

test("a denied call is told as denied and nothing else is tried", async () => {
  const other = tool("view_file", "Shows a file.", { path: text }, ["path"]);
  const denied = answers({ "demo/read_file": new Error("Denied by the person.") });
  const run = await runTurns("read a.txt", serverOf(readFile, other), denied);
  expect(run.calls.flat().map((call) => call.tool)).toEqual(["demo/read_file"]);
  expect(run.text).toContain("was not run: Denied by the person.");
});

test("after six turns with calls it answers, whatever is still to do", async () => {
  const snapshot = serverOf(readFile);
  const messages: Message[] = [question("read a.txt")];
  for (let turn = 0; turn < 6; turn++) {
    expect(callsOf((await respond(messages, snapshot)).message, snapshot)).toHaveLength(1);
    const block = {
      type: "tool_call",
      id: `c${turn}`,
      name: "demo__read_file",
      input: `{"path":"${turn}"}`,
    } as const;
    const result = { type: "tool_result", callId: block.id, content: [], isError: false } as const;
    messages.push({ role: "assistant", content: [block] }, { role: "user", content: [result] });
  }
  expect(callsOf((await respond(messages, snapshot)).message, snapshot)).toEqual([]);
});

test("a tool that changes something is called only on an order that says its verb", async () => {
  for (const asked of ["read a.txt", "Which tool would delete a.txt?", "Do not delete a.txt", "a.txt"]) {
    const { message } = await respond([question(asked)], serverOf(deleteFile));
    expect(callsOf(message, serverOf(deleteFile)), asked).toEqual([]);
  }
  const { message } = await respond([question("Please delete a.txt")], serverOf(deleteFile));
  expect(callsOf(message, serverOf(deleteFile)).map((call) => call.given)).toEqual([{ path: "a.txt" }]);
});

test("a tool that changes something is no substitute for one that the words fit better", async () => {
  const names = { type: "array", items: text } as const;
  const entities = tool("delete_entities", "Delete entities from the graph", { names }, ["names"], {});
  const relations = tool(
    "delete_relations",
    "Delete relations from the graph",
    { kind: text, id: { type: "integer" } },
    ["kind", "id"],
    {},
  );
  const snapshot = serverOf(entities, relations);
  const { message } = await respond([question("delete the relation between Ada and London")], snapshot);
  expect(callsOf(message, snapshot)).toEqual([]);
});

test("what the question wants done with the findings is named as not done", async () => {
  const found = answers({ "demo/search_code": "a.ts:1: // TODO: x" });
  const run = await runTurns(
    "Find all TODO comments and delete them",
    serverOf(searchCode, deleteFile),
    found,
  );
  expect(run.calls.flat().map((call) => call.tool)).toEqual(["demo/search_code"]);
  expect(run.text).toContain("Not done: “delete them”");
});

test("a tool without hints is taken for one that changes something", async () => {
  const unmarked = tool("read_file", "Reads a file.", { path: text }, ["path"], {});
  const { message } = await respond([question("Is there anything in a.txt?")], serverOf(unmarked));
  expect(callsOf(message, serverOf(unmarked))).toEqual([]);
});

test("what a tool still needs is said instead of guessed", async () => {
  const write = tool("write_file", "Writes a file.", { path: text, content: text }, ["path", "content"], {});
  const run = await runTurns("write a.txt", serverOf(write), answers({}));
  expect(run.calls).toEqual([]);
  expect(run.text).toContain("demo/write_file fits best; it still needs: content");
});

test("a relative path that the server refuses is tried below a folder that it allows", async () => {
  const roots = tool("list_allowed_directories", "Returns the directories this server may access.", {});
  const answer: Answerer = async (call) => {
    if (call.tool === "demo/list_allowed_directories")
      return { text: "Allowed directories:\n/srv/w", isError: false };
    const inside = call.given.path === "/srv/w/a.txt";
    return {
      text: inside ? "found it" : "Access denied - path outside allowed directories",
      isError: !inside,
    };
  };
  const run = await runTurns("read a.txt", serverOf(readFile, roots), answer);
  expect(run.calls.flat().map((call) => call.given)).toEqual([
    { path: "a.txt" },
    {},
    { path: "/srv/w/a.txt" },
  ]);
  expect(run.text).toContain("found it");
});

test("nothing is remembered: the answer to the same messages is the same, and a new question starts afresh", async () => {
  const snapshot = serverOf(searchCode, readFile);
  const first = await respond([question("Find all HACK comments")], snapshot);
  expect(await respond([question("Find all HACK comments")], snapshot)).toEqual(first);
  const [call] = callsOf(first.message, snapshot);
  const messages: Message[] = [
    question("Find all HACK comments"),
    first.message,
    { role: "user", content: [{ type: "tool_result", callId: call?.id ?? "", content: [], isError: false }] },
    { role: "assistant", content: [{ type: "text", text: "none" }] },
    question("Find all HACK comments"),
  ];
  const again = callsOf((await respond(messages, snapshot)).message, snapshot);
  expect(again.map((each) => each.given)).toEqual([{ pattern: "HACK" }]);
  expect(again[0]?.id).not.toBe(call?.id);
});

test("an aborted request rejects with the code aborted", async () => {
  const request = {
    system: "",
    snapshot: serverOf(echo),
    messages: [question("echo 'x'")],
    maxTokens: 1,
    signal: AbortSignal.abort(),
  };
  const reading = createOfflineModel().stream(request)[Symbol.asyncIterator]().next();
  await expect(reading).rejects.toMatchObject({ code: "aborted" });
});

test("without any tool the answer says so", async () => {
  const run = await runTurns("Find all TODO comments", serverOf(), answers({}));
  expect(run.text).toBe(`${preface} no tool matches “Find all TODO comments”.\n\nThere are no tools.`);
});
