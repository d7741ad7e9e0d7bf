import { expect, test } from "vitest";
import { createKeepAliveFetch } from "../../src/connections/keep-alive-fetch.ts";
import { never, open } from "../fixtures/connections/connect.ts";
import { httpServer, legacyAnswer } from "../fixtures/connections/http-server.ts";

const done = { content: [{ type: "text", text: "done" }] };
const noId = "The answer had no id and was taken as that of the one request that waited for it.";

/** Calls a tool whose answer has this type and body, in which `$id` stands for the id of the request. */
async function answerOf(type: string | null, body: string, calls = 1, fetch = globalThis.fetch) {
  const { url } = await httpServer(
    legacyAnswer(({ id }, response) => {
      const sent = body.replaceAll('"$id"', JSON.stringify(id));
      const length = { "content-length": Buffer.byteLength(sent) };
      response.writeHead(200, type === null ? length : { ...length, "content-type": type });
      response.end(sent);
    }),
  );
  const { connections, call } = open({ http: { url } }, { fetch });
  await connections.ready(never);
  return Promise.all(Array.from({ length: calls }, () => call("t")));
}

const faults: readonly (readonly [string, unknown])[] = [
  ["an id of null", { jsonrpc: "2.0", id: null, result: done }],
  ["no id", { jsonrpc: "2.0", result: done }],
  ["the id as a text", { jsonrpc: "2.0", id: "$id", result: done }],
  ["no jsonrpc member", { id: "$id", result: { content: ["done"] } }],
  ["a result that is a text", { jsonrpc: "2.0", id: "$id", result: "done" }],
  ["error: null beside the result", { jsonrpc: "2.0", id: "$id", error: null, result: done }],
  ["a _meta of the wrong type", { jsonrpc: "2.0", id: "$id", result: { ...done, _meta: "x" } }],
  ["a member more", { jsonrpc: "2.0", id: "$id", took: 3, result: done }],
  ["what is no message around it", [1, { id: "$id", result: done }, null, "x"]],
  [
    "a notification with a fault before it",
    [
      { method: "x", params: 1 },
      { id: "$id", result: done },
    ],
  ],
  [
    "a notification before it",
    [
      { jsonrpc: "2.0", method: "notifications/x" },
      { id: "$id", result: done },
    ],
  ],
];

test.each(faults)("over HTTP, too, an answer with %s is an answer", async (_name, message) => {
  const text = JSON.stringify(message);
  for (const [type, body] of [
    ["application/json", text],
    ["text/event-stream", `data: ${text}\n\n`],
  ] as const) {
    for (const fetch of [globalThis.fetch, createKeepAliveFetch()]) {
      const [reply] = await answerOf(type, body, 1, fetch);
      expect(reply?.content).toEqual(done.content);
    }
  }
});

test("of an answer without an id it is noted whose it was taken for, also while others are open", async () => {
  const text = JSON.stringify({ jsonrpc: "2.0", id: null, result: done });
  for (const reply of [
    ...(await answerOf("application/json", text, 5)),
    ...(await answerOf("text/event-stream", `data: ${text}\n\n`, 5)),
  ])
    expect(reply).toMatchObject({ content: done.content, repairs: [noId] });
  const [named] = await answerOf("application/json", '{"jsonrpc":"2.0","id":"$id","result":{"content":[]}}');
  expect(named?.repairs).toEqual([]);
});

test("a batch that names its answer has it there, wherever another without an id stands", async () => {
  const stray = { jsonrpc: "2.0", id: null, result: { content: [{ type: "text", text: "stray" }] } };
  const [reply] = await answerOf(
    "application/json",
    JSON.stringify([stray, { jsonrpc: "2.0", id: "$id", result: done }]),
  );
  expect(reply).toMatchObject({ content: done.content, repairs: [] });
});

test.each([
  ["a document of text/plain", "text/plain", "$json"],
  ["a document without a type", null, "$json"],
  ["a document of another type in which blanks come first", "application/octet-stream", "\n $json"],
  ["events without a type", null, "event: message\ndata: $json\n\n"],
  ["events whose type is in capitals", "Text/Event-Stream; charset=utf-8", "data: $json\n\n"],
  ["events that end without a blank line", "text/event-stream", ": hi\n\nid: 1\ndata: $json"],
  ["events that end with one line end", "text/event-stream", "data: $json\r\n"],
  ["an event of another name", "text/event-stream", "event: result\ndata: $json\n\n"],
  ["an event behind a comment and an empty one", "text/event-stream", ":\n\n\n\ndata:\n\ndata: $json\n\n"],
])("%s is an answer", async (_name, type, body) => {
  const json = JSON.stringify({ jsonrpc: "2.0", id: "$id", result: done });
  const [reply] = await answerOf(type, body.replace("$json", json));
  expect(reply?.content).toEqual(done.content);
});

test.each([
  ["text/plain", "Bad gateway", "content type text/plain"],
  ["application/json", '{"jsonrpc":"2.0","id":"$id"}', "neither a result nor an error"],
  ["application/json", '{"jsonrpc":"2.0","id":4711,"result":{}}', "belongs to no request"],
  ["application/json", '{"hello":"there"}', "no JSON-RPC message"],
])("what is no answer as %s is told as none: %s", async (type, body, words) => {
  await expect(answerOf(type, body)).rejects.toMatchObject({
    code: "call_protocol_error",
    message: expect.stringContaining(words),
  });
});

test("a stream that breaks in the middle of an answer is a lost connection", async () => {
  await expect(answerOf("text/event-stream", 'data: {"jsonrpc":"2.0","id":"$id",')).rejects.toMatchObject({
    code: "call_connection_lost",
  });
});
