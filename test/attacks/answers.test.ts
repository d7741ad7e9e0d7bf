import { expect, test } from "vitest";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import type { ApprovalAnswer, ApprovalRequest } from "../../src/types/approval.ts";
import { attack, calling, entriesOf, once } from "./attack.ts";

const mail = () => fakeServer([textTool("send", ({ to }) => `sent to ${to}`)]);
const send = (to: string) => ({ name: "mail__send", input: { to } });
const allow: ApprovalAnswer = { type: "allow", scope: "once" };
const unflowing = { policy: { flows: "off" } } as const;

test("an answer that was given before answers no later question: neither by its id nor by its request", async () => {
  const server = mail();
  const requests: ApprovalRequest[] = [];
  await attack(
    [calling(send("ann")), calling(send("ann")), calling(send("ann"))],
    { mail: server },
    {
      ...unflowing,
      person: null,
      approve(request) {
        requests.push(request);
        const [first] = requests;
        const id = first?.questions[0]?.id ?? "";
        // The first is answered as it should be; then its id is replayed, and then its request.
        request.answer(id, allow);
        if (request !== first) first?.answer(request.questions[0]?.id ?? "", allow);
      },
    },
  );
  expect(requests).toHaveLength(3);
  expect(server.calls).toHaveLength(1);
});

test("ids of questions cannot be guessed: each has 128 random bits, also for the same call", async () => {
  const { questions } = await attack([calling(send("a"), send("b")), calling(send("a"), send("b"))], {
    mail: mail(),
  });
  const ids = questions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id.replace(/^[a-z]+_/, "")).toMatch(/^[\w-]{22,}$/);
});

test("a second answer to a question changes nothing, whichever came first", async () => {
  const server = mail();
  const answers: ApprovalAnswer[][] = [
    [{ type: "deny" }, allow],
    [allow, { type: "deny" }],
  ];
  const { decisions } = await attack(
    [calling(send("ann")), calling(send("bob"))],
    { mail: server },
    {
      ...unflowing,
      person: null,
      approve(request) {
        for (const answer of answers.shift() ?? []) request.answer(request.questions[0]?.id ?? "", answer);
      },
    },
  );
  expect(decisions).toEqual(["deny", "allow"]);
  expect(server.calls).toEqual([{ name: "send", arguments: { to: "bob" } }]);
});

test("identical calls of a turn are one question that states their number, and one answer allows no more than these", async () => {
  const server = mail();
  const turn = calling(send("ann"), send("ann"), send("ann"));
  const { questions, shown } = await attack(
    [turn, turn],
    { mail: server },
    {
      ...unflowing,
      person: (question, number) => (number === 1 ? once(question, 1) : { type: "deny" }),
    },
  );
  expect(questions.map(({ calls }) => calls.length)).toEqual([3, 3]);
  expect(shown[0]).toContain("3");
  expect(server.calls).toHaveLength(3);
});

test("calls that differ in a byte are not put together: order of keys, a space, 1 and 1.0", async () => {
  const server = mail();
  const inputs = ['{"to":"a","n":1}', '{"n":1,"to":"a"}', '{"to":"a ","n":1}', '{"to":"A","n":1}'];
  const { questions } = await attack(
    [calling(...inputs.map((input) => ({ name: "mail__send", input })))],
    { mail: server },
    { person: (_, number) => (number === 2 ? allow : { type: "deny" }) },
  );
  expect(questions.map(({ calls }) => calls.length)).toEqual([1, 1, 1, 1]);
  expect(server.calls.map((call) => JSON.stringify(call.arguments))).toEqual([inputs[1]]);
});

test("what the answer to an aborted run says is not heard, whether it comes at once or late", async () => {
  for (const late of [false, true]) {
    const server = mail();
    const aborting = new AbortController();
    const { audit, result } = await attack(
      [calling(send("ann"))],
      { mail: server },
      {
        person: null,
        run: { signal: aborting.signal },
        async approve(request) {
          aborting.abort();
          if (late) await new Promise((resolve) => setTimeout(resolve, 5));
          request.answer(request.questions[0]?.id ?? "", allow);
        },
      },
    );
    expect(result.stop.type).toBe("aborted");
    expect(entriesOf(audit, "call_intended")).toEqual([]);
    expect(server.calls).toEqual([]);
  }
});

test("a run that is aborted while its allowed call is being recorded does not send it", async () => {
  const server = mail();
  const aborting = new AbortController();
  const { result } = await attack(
    [calling(send("ann"))],
    { mail: server },
    {
      person: once,
      run: { signal: aborting.signal },
      audit: {
        append: async ({ kind }) => {
          if (kind === "call_intended") aborting.abort();
        },
      },
    },
  );
  expect(result.stop.type).toBe("aborted");
  expect(server.calls).toEqual([]);
});

test.each<[string, unknown]>([
  ["true", true],
  ["the word", "allow"],
  ["nothing", undefined],
  ["null", null],
  ["an empty object", {}],
  ["a list", [{ type: "allow", scope: "once" }]],
  ["another type", { type: "Allow", scope: "once" }],
  ["one without a type", { scope: "once" }],
])("an answer that is %s allows nothing", async (_, answer) => {
  const server = mail();
  await attack([calling(send("ann"))], { mail: server }, { person: () => answer as ApprovalAnswer });
  expect(server.calls).toEqual([]);
});

test.each(["always", "forever", "__proto__", 1, null, undefined])(
  "an answer with the scope %s, which was not offered, allows this call only",
  async (scope) => {
    const server = mail();
    const answer = { type: "allow", scope } as ApprovalAnswer;
    const { questions } = await attack(
      [calling(send("a")), calling(send("b"))],
      { mail: server },
      {
        policy: { flows: "off", rules: ["ask mail/*"], administratorRules: ["ask mail/*"] },
        person: (_, number) => (number === 1 ? answer : { type: "deny" }),
      },
    );
    expect(questions).toHaveLength(2);
    expect(server.calls).toHaveLength(1);
  },
);

test("an approver that fails, or ends without an answer, allows nothing", async () => {
  const approvers = [() => Promise.reject(new Error("no terminal")), () => {}];
  for (const approve of approvers) {
    const server = mail();
    const { decisions } = await attack([calling(send("ann"))], { mail: server }, { person: null, approve });
    expect(decisions).toEqual(["deny"]);
    expect(server.calls).toEqual([]);
  }
});

const boom = (): never => {
  throw new Error("boom");
};
const noText: unknown = Object.create(null);

test.each<[string, () => unknown]>([
  [
    "throws when its type is read",
    () => ({
      get type(): never {
        return boom();
      },
    }),
  ],
  [
    "throws when its scope is read",
    () => ({
      type: "allow",
      get scope(): never {
        return boom();
      },
    }),
  ],
  ["throws when its conditions are read", () => ({ ...forGood, conditions: new Proxy([], { get: boom }) })],
  ["throws whatever is read", () => new Proxy({}, { get: boom })],
  ["is a promise of an answer", () => Promise.resolve(allow)],
  ["has a message without a text", () => ({ type: "deny", message: noText })],
  ["has a message that is a symbol", () => ({ type: "deny", message: Symbol("no") })],
  ["allows at the second look only", () => alternating("deny", "allow")],
])("an answer that %s allows nothing, and the run goes on", async (_, answer) => {
  const server = mail();
  const turn = calling(send("ann"), send("ann"));
  const person = () => answer() as ApprovalAnswer;
  const { decisions, result } = await attack([turn], { mail: server }, { person });
  expect(decisions).toEqual(["deny", "deny"]);
  expect(result.stop.type).toBe("answered");
  expect(server.calls).toEqual([]);
});

const forGood = { type: "allow", scope: "conversation" } as const;

/** An answer of another type at every look. */
function alternating(...types: readonly string[]): object {
  let looks = 0;
  return {
    scope: "once",
    get type() {
      looks += 1;
      return types[(looks - 1) % types.length];
    },
  };
}

test("one answer to identical calls is one, also where its object says something else at each look", async () => {
  const server = mail();
  const turn = calling(send("ann"), send("ann"));
  const person = () => alternating("allow", "deny") as ApprovalAnswer;
  const { decisions } = await attack([turn], { mail: server }, { person });
  expect(decisions).toEqual(["allow", "allow"]);
});

test("an answer that is no answer is not recorded as the person's", async () => {
  const { audit } = await attack(
    [calling(send("ann"))],
    { mail: mail() },
    { person: () => "allow" as unknown as ApprovalAnswer },
  );
  expect(entriesOf(audit, "call_denied").map(({ by }) => by.type)).toEqual(["default"]);
});

test("an approver that throws what has no text allows nothing, and the run goes on", async () => {
  const server = mail();
  const { decisions, result } = await attack(
    [calling(send("ann"))],
    { mail: server },
    { person: null, approve: () => Promise.reject(noText) },
  );
  expect([decisions, result.stop.type, server.calls]).toEqual([["deny"], "answered", []]);
});
