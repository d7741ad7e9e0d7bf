import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { SimulatedFault, SimulatedTurn } from "../../../src/testing/anthropic/turns.ts";
import type { ModelEvent } from "../../../src/types/model.ts";
import type { Clock } from "../../../src/types/ports.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { catalogTool, eventsOf, requestOf, requestsTold, snapshotOf, userText } from "./requests.ts";
import { closeAll, modelAt, startModel } from "./start.ts";

const servers: Server[] = [];
afterEach(async () => {
  await closeAll();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Real time, but nobody waits: what would be waited for is written down. */
function impatientClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  return {
    ...systemClock,
    waits,
    after(ms, action) {
      if (ms >= 200_000 || ms === 250) return systemClock.after(ms, action);
      waits.push(ms);
      return systemClock.after(0, action);
    },
  };
}

const answer: SimulatedTurn = { content: [{ type: "text", text: "Here it is, whole." }] };
const ask = requestOf([userText("go")]);

const repeated: readonly [string, SimulatedFault, RegExp][] = [
  ["overload", { type: "overloaded" }, /has trouble: Overloaded \(529\)/],
  ["a rate limit", { type: "rate_limited" }, /limits the rate/],
  ["a server error", { type: "refused", status: 500, kind: "api_error", message: "oops" }, /oops \(500\)/],
  [
    "an error in the stream",
    { type: "stream_error", afterEvents: 5, turn: answer },
    /broke off its answer: Overloaded/,
  ],
  ["a cut stream", { type: "cut", afterEvents: 5, turn: answer }, /broke off|terminated|cannot be reached/],
  ["no answer", { type: "no_answer" }, /cannot be reached/],
];

test.each(repeated)("after %s the request is sent again whole", async (_, fault, reason) => {
  const clock = impatientClock();
  const { simulator, model } = await startModel({ turns: [{ fault }, answer] }, { clock, maxRetries: 1 });
  const events = await eventsOf(model, ask);
  const failed = events.findIndex(({ type }) => type === "attempt_failed");
  expect(events[failed]).toMatchObject({
    type: "attempt_failed",
    attempt: 1,
    reason: expect.stringMatching(reason),
  });
  const after = events.slice(failed + 1).map((event) => (event.type === "text_delta" ? event.text : ""));
  expect(after.join("")).toBe("Here it is, whole.");
  expect(events.at(-1)?.type).toBe("response");
  expect(requestsTold(events)).toBe(2);
  expect(simulator.requests[1]?.text).toBe(simulator.requests[0]?.text);
  simulator.assertDone();
  expect(clock.waits).toHaveLength(1);
  expect(clock.waits[0]).toBeGreaterThanOrEqual(375);
  expect(clock.waits[0]).toBeLessThanOrEqual(500);
});

const hopeless: readonly [string, SimulatedFault, string, RegExp][] = [
  [
    "a refused key",
    { type: "unauthorized" },
    "model_auth",
    /^The API refused the key: invalid x-api-key \(401\)\. Check ANTHROPIC_API_KEY\.$/,
  ],
  ["a spend limit", { type: "spend_limit" }, "model_spend_limit", /spend limit: You have reached/],
  [
    "a large request",
    { type: "html", status: 413 },
    "model_rejected",
    /too large for the API: 413 Request refused/,
  ],
  ["a page", { type: "html", status: 403 }, "model_bad_response", /^[^<>]*$/],
  [
    "an unknown model",
    { type: "refused", status: 404, kind: "not_found_error", message: "model: x" },
    "model_unknown",
    /does not know the model claude-opus-5: model: x/,
  ],
  [
    "a refusal",
    { type: "refused", status: 400, kind: "invalid_request_error", message: "prompt is too long" },
    "model_rejected",
    /prompt is too long \(400\)/,
  ],
];

test.each(hopeless)(
  "%s ends the request at once, with a sentence about it",
  async (_, fault, code, message) => {
    const { simulator, model } = await startModel({ turns: [{ fault }] }, { maxRetries: 3 });
    await expect(eventsOf(model, ask)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    simulator.assertDone();
  },
);

test("the delay that the API asks for is kept, and one beyond the deadline ends the request", async () => {
  const clock = impatientClock();
  const limited = (retryAfter: number): { fault: SimulatedFault } => ({
    fault: { type: "rate_limited", retryAfter },
  });
  const { simulator, model } = await startModel(
    { turns: [limited(7), limited(90)] },
    { clock, maxRetries: 3, retryDeadlineMs: 60_000 },
  );
  await expect(eventsOf(model, ask)).rejects.toMatchObject({ code: "model_rate_limited" });
  expect(clock.waits).toEqual([7000]);
  simulator.assertDone();
});

test("once the retries are spent, the last failure is what the request rejects with", async () => {
  const clock = impatientClock();
  const overloaded = { fault: { type: "overloaded" as const } };
  const { simulator, model } = await startModel(
    { turns: [overloaded, overloaded, overloaded] },
    { clock, maxRetries: 2 },
  );
  await expect(eventsOf(model, ask)).rejects.toMatchObject({
    code: "model_overloaded",
    data: { status: 529 },
  });
  simulator.assertDone();
  expect(clock.waits).toHaveLength(2);
});

test("a host that is not there is named", async () => {
  const model = modelAt("http://127.0.0.1:9");
  await expect(eventsOf(model, ask)).rejects.toMatchObject({
    code: "model_unreachable",
    message: expect.stringMatching(
      /^127\.0\.0\.1:9 cannot be reached: .*Check the network and the base URL\.$/,
    ),
  });
});

test("a base URL that is something else is said so, in one line", async () => {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.startsWith("/redirect")) response.writeHead(302, { location: "http://127.0.0.1:9/" });
    else response.writeHead(200, { "content-type": "text/html" });
    response.end("<html><head><title>Welcome</title></head>\n<body>many\nwords</body></html>");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(eventsOf(modelAt(url), ask)).rejects.toMatchObject({
    code: "model_bad_response",
    message: "The base URL answered with something that is no stream of the Messages API: Welcome (200).",
  });
  await expect(eventsOf(modelAt(`${url}/redirect`), ask)).rejects.toMatchObject({
    code: "model_bad_response",
  });
});

test("a refusal that names a tool by its place says which tool that is", async () => {
  const message = "tools.1.custom.input_schema: something new";
  const refused = {
    fault: { type: "refused", status: 400, kind: "invalid_request_error", message },
  } as const;
  const { model } = await startModel({ turns: [refused, { content: [{ type: "text", text: "ok" }] }] });
  const snapshot = snapshotOf(catalogTool("read", {}), catalogTool("write", {}));
  const events = await eventsOf(model, requestOf([userText("go")], { snapshot }));
  expect(events[0]).toMatchObject({
    type: "attempt_failed",
    reason: expect.stringContaining('something new (400). That tool is "write" of the server "files".'),
  });
});

test("the key is in no message, whatever the API says", async () => {
  const words = "the key sk-test-0123456789 is wrong";
  const { model } = await startModel({
    turns: [{ fault: { type: "refused", status: 401, kind: "authentication_error", message: words } }],
  });
  const thrown: unknown = await eventsOf(model, ask).catch((error: unknown) => error);
  expect(String(thrown)).toContain("the key ⟨key⟩ is wrong");
  expect(String(thrown)).not.toContain("0123456789");
});

test("an abort ends the request at once: before it, while it waits to retry, and in the stream", async () => {
  const aborted = { code: "aborted" };
  const { model } = await startModel(
    { turns: [{ ...answer, delayMs: 60_000 }, { fault: { type: "overloaded" } }] },
    { maxRetries: 5 },
  );
  await expect(eventsOf(model, { ...ask, signal: AbortSignal.abort() })).rejects.toMatchObject(aborted);
  const early = new AbortController();
  const asked = eventsOf(model, { ...ask, signal: early.signal });
  setTimeout(() => early.abort(), 100);
  await expect(asked).rejects.toMatchObject(aborted);
  const waiting = new AbortController();
  const seen: ModelEvent[] = [];
  const retrying = (async () => {
    for await (const event of model.stream({ ...ask, signal: waiting.signal })) {
      seen.push(event);
      waiting.abort();
    }
  })();
  await expect(retrying).rejects.toMatchObject(aborted);
  expect(seen).toMatchObject([{ type: "attempt_failed" }]);
});

test("a stream that gives no sign for too long is given up", async () => {
  let starve = (): void => {};
  const clock: Clock = {
    ...systemClock,
    after(ms, action) {
      if (ms < 200_000) return systemClock.after(0, action);
      starve = action;
      return () => {};
    },
  };
  let asked = 0;
  const turns = (): SimulatedTurn => {
    asked += 1;
    return asked === 1 ? { ...answer, delayMs: 60_000 } : answer;
  };
  const { model } = await startModel({ turns }, { clock, maxRetries: 1 });
  const seen: ModelEvent[] = [];
  const reading = (async () => {
    for await (const event of model.stream(ask)) seen.push(event);
  })();
  while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  starve();
  await reading;
  expect(seen[0]).toMatchObject({ type: "attempt_failed", reason: "The API gave no sign for 300 seconds." });
  expect(seen.at(-1)).toMatchObject({ type: "response" });
});
