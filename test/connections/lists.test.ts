import { expect, test } from "vitest";
import { createTestClock } from "../../src/testing/clock.ts";
import { systemClock } from "../../src/util/clock.ts";
import { logFile, modernServer, never, open, rawServer, until } from "../fixtures/connections/connect.ts";
import { httpServer, legacyAnswer } from "../fixtures/connections/http-server.ts";

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });

function reads(lines: readonly string[]): number {
  return lines.filter((line) => line === "tools/list").length;
}

test("one bad tool among good ones is quarantined with its reason, and the others work", async () => {
  const tools = [
    tool("good"),
    { name: "bad", inputSchema: { type: "string" } },
    { inputSchema: {} },
    "odd",
    tool("also"),
  ];
  const { connections } = open({ raw: rawServer({ tools }) }, { trusted: ["raw"] });
  await connections.ready(never);
  const [list] = await connections.lists(never);
  expect(list?.tools.map((one) => one.name)).toEqual(["good", "also"]);
  expect(list?.trusted).toBe(true);
  expect(list?.configHash).toMatch(/^[0-9a-f]{64}$/);
  expect(list?.quarantined.map((one) => one.tool)).toEqual([
    "bad",
    "(tool 3, without a name)",
    "(tool 4, without a name)",
  ]);
  expect(list?.quarantined[0]).toEqual({
    server: "raw",
    tool: "bad",
    reason: "Its inputSchema describes string instead of an object.",
  });
});

test("all pages are read, and of two tools with one name the first is kept", async () => {
  const pages = [[tool("a"), tool("b")], [tool("a"), tool("b", { description: "another" })], [tool("c")]];
  const { connections } = open({ raw: rawServer({ pages }) });
  await connections.ready(never);
  const [list] = await connections.lists(never);
  expect(list?.tools.map((one) => one.name)).toEqual(["a", "b", "c"]);
  expect(list?.quarantined).toEqual([
    { server: "raw", tool: "b", reason: "The server lists another tool of this name." },
  ]);
});

test("a cursor that repeats ends the list", async () => {
  const log = logFile();
  const { connections } = open({
    raw: rawServer({ pages: [[tool("a")], [tool("b")]], repeatCursor: true, log: log.path }),
  });
  await connections.ready(never);
  expect(connections.current()[0]?.tools.map((one) => one.name)).toEqual(["a", "b"]);
  expect(reads(log.lines())).toBe(2);
});

test("a list without end is cut off", async () => {
  const log = logFile();
  const pages = Array.from({ length: 100 }, (_, index) => [tool(`t${index}`)]);
  const { connections } = open({ raw: rawServer({ pages, log: log.path }) });
  await connections.ready(never);
  expect(reads(log.lines())).toBe(64);
});

test("outputSchema and annotations reach the host as the server gave them, hints only when they are booleans", async () => {
  const outputSchema = { type: "object", properties: { x: { type: "number", pattern: "((" } } };
  const annotations = { title: "T", readOnlyHint: "true", destructiveHint: false, idempotentHint: 1 };
  const { connections } = open({ raw: rawServer({ tools: [tool("a", { outputSchema, annotations })] }) });
  await connections.ready(never);
  const definition = connections.current()[0]?.tools[0];
  expect(definition?.outputSchema).toEqual(outputSchema);
  expect(definition?.annotations).toEqual({ title: "T", destructiveHint: false });
});

test("an unchanged list is the same array", async () => {
  const { connections } = open({ raw: rawServer({ tools: [tool("a")] }) });
  await connections.ready(never);
  const first = await connections.lists(never);
  expect(await connections.lists(never)).toBe(first);
  expect(connections.current()).toBe(first);
});

test("a change that an old server announces is in the next list", async () => {
  const script = { tools: [tool("change")], later: [tool("change"), tool("new")] };
  const { connections, call } = open({ raw: rawServer(script) });
  await connections.ready(never);
  const before = await connections.lists(never);
  await call("change");
  const after = await connections.lists(never);
  expect(after).not.toBe(before);
  expect(after[0]?.tools.map((one) => one.name)).toEqual(["change", "new"]);
});

test("a change that a new server announces is in the next list", async () => {
  const { connections, call } = open({ modern: modernServer() });
  await connections.ready(never);
  await call("add");
  await until(() => connections.current()[0]?.tools.some((one) => one.name === "added") === true);
  const lists = await connections.lists(never);
  expect(lists[0]?.tools.map((one) => one.name)).toContain("added");
});

test("an announced change is noticed without anybody asking", async () => {
  const script = { tools: [tool("change")], later: [tool("new")] };
  const { connections, call } = open({ raw: rawServer(script) });
  await connections.ready(never);
  await call("change");
  await until(() => connections.current()[0]?.tools[0]?.name === "new");
});

test("a storm of announcements costs one reading", async () => {
  const log = logFile();
  const script = { tools: [tool("change")], later: [tool("new")], storm: 1000, log: log.path };
  // Time stands still, so that no announcement comes after the moment in which they are gathered.
  const clock = createTestClock();
  const { connections, call } = open({ raw: rawServer(script) }, { clock });
  await connections.ready(never);
  await call("change");
  await Promise.all(Array.from({ length: 20 }, () => connections.lists(never)));
  expect(reads(log.lines())).toBe(2);
  await clock.advance(1000);
  await connections.lists(never);
  expect(reads(log.lines())).toBe(2);
});

test("a server that announces a change with every reading does not keep the host reading", async () => {
  const log = logFile();
  const server = createTestClock();
  const { connections } = open(
    { raw: rawServer({ tools: [tool("a")], chatty: true, log: log.path }) },
    { clock: server },
  );
  await connections.ready(never);
  for (let turn = 0; turn < 5; turn++) await connections.lists(never);
  const asked = reads(log.lines());
  expect(asked).toBeLessThanOrEqual(6);
  expect(server.pending()).toBeLessThanOrEqual(1);
});

test("a list is read again once its ttlMs has passed, and not before", async () => {
  const log = logFile();
  let skew = 0;
  const clock = { ...systemClock, now: () => performance.now() + skew };
  const server = rawServer({ discover: "modern", tools: [tool("a")], ttlMs: 60_000, log: log.path });
  const { connections } = open({ raw: server }, { clock });
  await connections.ready(never);
  const first = await connections.lists(never);
  skew = 50_000;
  expect(await connections.lists(never)).toBe(first);
  expect(reads(log.lines())).toBe(1);
  skew = 61_000;
  expect(await connections.lists(never)).toBe(first);
  expect(reads(log.lines())).toBe(2);
});

test("a ttlMs that means for ever loses no list", async () => {
  const server = rawServer({ discover: "modern", tools: [tool("a")], ttlMs: 1e18 });
  const { connections } = open({ raw: server });
  await connections.ready(never);
  expect(connections.status()).toMatchObject([{ state: "ready", era: "modern", tools: 1 }]);
});

test("without ttlMs a list stays good until a change is announced", async () => {
  const log = logFile();
  let skew = 0;
  const clock = { ...systemClock, now: () => performance.now() + skew };
  const { connections } = open(
    { raw: rawServer({ discover: "modern", tools: [tool("a")], log: log.path }) },
    { clock },
  );
  await connections.ready(never);
  skew = 24 * 60 * 60 * 1000;
  await connections.lists(never);
  expect(reads(log.lines())).toBe(1);
});

test("a server that knows no tools at all has an empty list", async () => {
  const { connections } = open({ raw: rawServer({ capabilities: { prompts: {} }, replies: {} }) });
  await connections.ready(never);
  expect(connections.current()[0]?.tools).toEqual([]);
});

test("a tool list that is refused is told with its HTTP status", async () => {
  const answer = legacyAnswer(() => {});
  const { url } = await httpServer((received, response) => {
    if (received.method === "tools/list") response.writeHead(403).end("not for you");
    else return answer(received, response);
  });
  const { connections } = open({ http: { url } });
  const failure = await connections.ready(never).catch((error: unknown) => error);
  expect((failure as Error).message).toMatch(
    /could not be listed: it answered with HTTP 403: not for you\.$/,
  );
});
