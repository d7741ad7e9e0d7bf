import { expect, test } from "vitest";
import type { ElicitationRequest } from "../../../src/types/elicitation.ts";
import { ofType, runCalls } from "./ask-host.ts";
import { type AskingCall, askingServer, inputRequired, textResult } from "./asking-server.ts";

const form = { message: "?", requestedSchema: { type: "object", properties: { a: { type: "string" } } } };
const question = { method: "elicitation/create", params: form };
const accept = () => ({ action: "accept", content: { a: "x" } }) as const;
const soon = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test("nobody is asked while no call of the server runs", async () => {
  const answers: unknown[] = [];
  const server = askingServer({
    era: "legacy",
    tools: ["t"],
    call: ({ ask }) => {
      // After its answer the call is over.
      setTimeout(() => void ask("elicitation/create", form).then((answer) => answers.push(answer)), 0);
      return textResult("done");
    },
  });
  const { events } = await runCalls(server, ["t"], { elicit: accept }, [
    { calls: [{ name: "s__t", input: {} }] },
    async () => {
      await soon(50);
      return { text: "done" };
    },
  ]);
  expect(answers).toMatchObject([{ error: { message: expect.stringContaining("nothing runs") } }]);
  expect(ofType(events, "elicitation_requested")).toEqual([]);
});

test("a modern server that sends a request gets no answer at all", async () => {
  const server = askingServer({
    era: "modern",
    tools: ["t"],
    async call({ send }) {
      send({ id: "x", method: "elicitation/create", params: form });
      await soon(20);
      return textResult("done");
    },
  });
  const { events } = await runCalls(server, ["t"], { elicit: accept });
  expect(ofType(events, "elicitation_requested")).toEqual([]);
  expect(server.sent.filter(({ method }) => method === undefined)).toEqual([]);
});

test("a call has one open question at a time, and the same id is one request", async () => {
  let open = 0;
  let most = 0;
  const server = askingServer({
    era: "legacy",
    tools: ["t"],
    async call({ ask }) {
      const answers = await Promise.all([ask("elicitation/create", form), ask("elicitation/create", form)]);
      return textResult(JSON.stringify(answers));
    },
  });
  const { told } = await runCalls(server, ["t"], {
    async elicit() {
      most = Math.max(most, ++open);
      await soon(20);
      open -= 1;
      return accept();
    },
  });
  expect(most).toBe(1);
  expect(told).toContain("another question is still open");
  expect(told).toContain('"action":"accept"');
});

test.each(["legacy", "modern"] as const)(
  "a %s server that floods a person with questions is stopped",
  async (era) => {
    let asked = 0;
    const call = async ({ ask, params }: AskingCall): Promise<unknown> => {
      if (era === "modern")
        return inputRequired(Object.fromEntries([..."abcdefgh"].map((key) => [key, question])));
      const answers: unknown[] = [];
      for (let count = 0; count < 40; count++) answers.push(await ask("elicitation/create", params && form));
      return textResult(JSON.stringify(answers.at(-1)));
    };
    const { told } = await runCalls(askingServer({ era, tools: ["t"], call }), ["t"], {
      elicit() {
        asked += 1;
        return accept();
      },
    });
    expect(asked).toBe(10);
    expect(told).toContain("too much is asked");
  },
);

test("what cannot be shown is refused with the reason, and nobody is asked", async () => {
  const field = (schema: unknown) => ({
    message: "?",
    requestedSchema: { type: "object", properties: { a: schema } },
  });
  const many = Object.fromEntries([...Array(51).keys()].map((key) => [`f${key}`, { type: "string" }]));
  const odd: readonly unknown[] = [
    undefined,
    [],
    { requestedSchema: form.requestedSchema },
    { message: 1, requestedSchema: form.requestedSchema },
    { message: "?", requestedSchema: { type: "array" } },
    { message: "?", requestedSchema: { type: "object", properties: many } },
    field({ type: "object", properties: { b: field({}) } }),
    field({ $ref: "https://example.com/schema" }),
    field({ type: "string", enum: Array(201).fill("x") }),
    field({ type: "array", items: { type: "string" } }),
    { ...form, mode: "voice" },
  ];
  const server = askingServer({
    era: "legacy",
    tools: ["t"],
    async call({ ask }) {
      const answers: unknown[] = [];
      for (const params of odd) answers.push((await ask("elicitation/create", params)).error);
      return textResult(JSON.stringify(answers));
    },
  });
  const { told, events } = await runCalls(server, ["t"], { elicit: accept });
  const codes = (JSON.parse(told) as { code: number }[]).map(({ code }) => code);
  expect(codes).toEqual(odd.map(() => -32602));
  expect(ofType(events, "elicitation_requested")).toEqual([]);
});

test("the limits of a call stand still while the person is asked", async () => {
  for (const era of ["legacy", "modern"] as const) {
    const server = askingServer({
      era,
      tools: ["t"],
      async call({ ask, params }) {
        if (era === "legacy") return textResult(JSON.stringify(await ask("elicitation/create", form)));
        return params.inputResponses === undefined ? inputRequired({ a: question }) : textResult('"accept"');
      },
    });
    const { told } = await runCalls(server, ["t"], {
      limits: { callIdleMs: 60, callHardMs: 100 },
      async elicit() {
        await soon(250);
        return accept();
      },
    });
    expect(told).toContain('"accept"');
  }
});

test.each(["legacy", "modern"] as const)(
  "a call that ends while a %s server asks closes the prompt",
  async (era) => {
    const asked: ElicitationRequest[] = [];
    let end: (value: unknown) => void = () => {};
    const server = askingServer({
      era,
      tools: ["t"],
      call({ ask }) {
        if (era === "modern") return inputRequired({ a: question });
        void ask("elicitation/create", form);
        return new Promise((resolve) => {
          end = resolve;
        });
      },
    });
    const abort = new AbortController();
    const { told, result } = await runCalls(server, ["t"], {
      limits: { runMs: era === "modern" ? 300 : 0 },
      elicit(request) {
        asked.push(request);
        // The server ends the call itself, or the run has had its time.
        setTimeout(() => end(textResult("over")), 20);
        return new Promise((resolve) => {
          request.signal.addEventListener("abort", () =>
            resolve({ action: "accept", content: { a: "late" } }),
          );
        });
      },
    });
    abort.abort();
    expect(asked[0]?.signal.aborted).toBe(true);
    // What is answered too late reaches nobody.
    expect(JSON.stringify(server.sent)).not.toContain("late");
    if (era === "legacy") expect(told).toBe("over");
    else expect(result.stop).toMatchObject({ type: "budget", budget: "time" });
  },
);

test("a server that takes its question back closes the prompt and gets no answer", async () => {
  const server = askingServer({
    era: "legacy",
    tools: ["t"],
    async call({ ask, send }) {
      void ask("elicitation/create", form, "q1");
      await soon(20);
      send({ method: "notifications/cancelled", params: { requestId: "q1" } });
      await soon(20);
      return textResult("went on");
    },
  });
  let closed = false;
  const { told, events } = await runCalls(server, ["t"], {
    elicit: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          closed = true;
          resolve(accept());
        });
      }),
  });
  expect([closed, told]).toEqual([true, "went on"]);
  expect(server.sent.some(({ id, method }) => id === "q1" && method === undefined)).toBe(false);
  expect(ofType(events, "elicitation_answered")).toMatchObject([{ action: "cancel" }]);
});

test("where a server runs several calls, all of them are named and none runs out of time", async () => {
  const asked: ElicitationRequest[] = [];
  let answer = "";
  const server = askingServer({
    era: "legacy",
    tools: ["first", "second"],
    async call({ ask, tool }) {
      await soon(20);
      if (tool === "second") answer = JSON.stringify(await ask("elicitation/create", form));
      while (answer === "") await soon(10);
      return textResult(tool);
    },
  });
  const { told } = await runCalls(server, ["first", "second"], {
    limits: { callIdleMs: 150, callHardMs: 150 },
    async elicit(request) {
      asked.push(request);
      await soon(300);
      return accept();
    },
  });
  expect(asked[0]?.calls.map(({ tool }) => tool)).toEqual(["first", "second"]);
  expect(told).toBe("first\nsecond");
});

test("an error of the program that asks is a cancel, and its words go to no server", async () => {
  const server = askingServer({
    era: "legacy",
    tools: ["t"],
    call: async ({ ask }) => textResult(JSON.stringify(await ask("elicitation/create", form))),
  });
  const { told, events } = await runCalls(server, ["t"], {
    elicit() {
      throw new Error("the window is gone");
    },
  });
  expect(told).toContain('{"action":"cancel"}');
  expect(JSON.stringify(server.sent)).not.toContain("window");
  expect(ofType(events, "warning")[0]?.text).toContain("the window is gone");
});

test("an answer of the program that cannot be read is a cancel, told as such", async () => {
  const boom = (): never => {
    throw new Error("boom");
  };
  const server = askingServer({
    era: "legacy",
    tools: ["t"],
    call: async ({ ask }) => textResult(JSON.stringify(await ask("elicitation/create", form))),
  });
  const answer = {
    action: "accept" as const,
    content: Object.defineProperty({}, "a", { enumerable: true, get: boom }),
  };
  const { told, events } = await runCalls(server, ["t"], { elicit: () => answer });
  expect(told).toContain('{"action":"cancel"}');
  expect(ofType(events, "warning").map(({ text }) => text)).toEqual([expect.stringContaining("boom")]);
});
