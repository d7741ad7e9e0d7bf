import { expect, test } from "vitest";
import { decisionOf, makeConsent, makeContext, settled } from "../../test/support/consent.ts";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { ApprovalAnswer } from "../types/approval.ts";

const read = makeTool({ name: "read_file", trusted: true, annotations: { readOnlyHint: true } });
const run = makeTool({ name: "run_command" });
const once: ApprovalAnswer = { type: "allow", scope: "once" };

test("promises of calls that need no question are settled when they are returned", async () => {
  const { consent } = makeConsent({ rules: ["deny workspace/drop"] });
  const calls = [makeCall(read), makeCall(run), makeCall(makeTool({ name: "drop" }))];
  const verdicts = consent.decide(calls, makeContext());
  expect((await settled(verdicts[0]))?.type).toBe("approved");
  expect(await settled(verdicts[1])).toBeNull();
  expect((await settled(verdicts[2]))?.type).toBe("denied");
});

test("all questions of a turn are put together, with the calls that need none, and an event names them", async () => {
  const { consent, requests } = makeConsent();
  const context = makeContext({ turn: 3 });
  const calls = [makeCall(run, { command: "a" }), makeCall(read), makeCall(run, { command: "b" })];
  consent.decide(calls, context);
  await Promise.resolve();
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ runId: "run_1", turn: 3, principal: "ann" });
  expect(requests[0]?.questions.map((question) => question.calls)).toEqual([[calls[0]], [calls[2]]]);
  expect(requests[0]?.decided).toEqual([calls[1]]);
  expect(context.events).toEqual([
    { type: "approval_requested", turn: 3, callIds: [calls[0]?.id, calls[2]?.id] },
  ]);
});

test("nobody is asked when no call needs a question", async () => {
  const { consent, requests } = makeConsent();
  const context = makeContext();
  await Promise.all(consent.decide([makeCall(read)], context));
  expect(requests).toEqual([]);
  expect(context.events).toEqual([]);
});

test("each asked call settles with its own answer, in any order, and the time is counted until then", async () => {
  const { consent, requests, clock } = makeConsent();
  const verdicts = consent.decide([makeCall(run, { n: 1 }), makeCall(run, { n: 2 })], makeContext());
  await clock.advance(1000);
  const [first, second] = requests[0]?.questions ?? [];
  requests[0]?.answer(second?.id ?? "", once);
  expect(await settled(verdicts[0])).toBeNull();
  expect(await settled(verdicts[1])).toMatchObject({
    type: "approved",
    approved: { decision: { by: { type: "person", principal: "ann" }, waitedMs: 1000 } },
  });
  await clock.advance(500);
  requests[0]?.answer(first?.id ?? "", { type: "deny", message: "use the other tool" });
  expect(await settled(verdicts[0])).toMatchObject({
    type: "denied",
    decision: { reason: "Denied by the person: use the other tool", waitedMs: 1500, unasked: false },
  });
});

test("identical calls of a turn are one question for all of them, calls that differ in a byte are not", async () => {
  const { consent, requests } = makeConsent();
  const calls = [
    makeCall(run, { a: 1 }),
    makeCall(run, { a: 2 }),
    makeCall(run, { a: 1 }),
    makeCall(makeTool(), {}),
  ];
  const verdicts = consent.decide(calls, makeContext());
  await Promise.resolve();
  const questions = requests[0]?.questions ?? [];
  expect(questions.map((question) => question.calls.length)).toEqual([2, 1, 1]);
  requests[0]?.answer(questions[0]?.id ?? "", once);
  expect((await settled(verdicts[0]))?.type).toBe("approved");
  expect((await settled(verdicts[2]))?.type).toBe("approved");
  expect(await settled(verdicts[1])).toBeNull();
});

test("identical calls of the next turn are asked again", async () => {
  const { consent, requests } = makeConsent();
  const context = makeContext();
  const first = consent.decide([makeCall(run)], context);
  await Promise.resolve();
  requests[0]?.answer(requests[0].questions[0]?.id ?? "", once);
  await first[0];
  const second = consent.decide([makeCall(run)], context);
  await Promise.resolve();
  expect(requests).toHaveLength(2);
  expect(await settled(second[0])).toBeNull();
});

test("ids of questions cannot be guessed from one another, and an unknown id answers nothing", async () => {
  const { consent, requests } = makeConsent();
  const verdicts = consent.decide([makeCall(run, { n: 1 }), makeCall(run, { n: 2 })], makeContext());
  await Promise.resolve();
  const ids = requests[0]?.questions.map((question) => question.id) ?? [];
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^question_[0-9a-f]{32}$/);
  for (const id of ["", "question_1", "__proto__"]) requests[0]?.answer(id, once);
  expect(await settled(verdicts[0])).toBeNull();
});

test("a second answer to the same question changes nothing", async () => {
  const { consent, requests } = makeConsent();
  const [verdict] = consent.decide([makeCall(run)], makeContext());
  await Promise.resolve();
  const id = requests[0]?.questions[0]?.id ?? "";
  requests[0]?.answer(id, { type: "deny" });
  requests[0]?.answer(id, { type: "allow", scope: "conversation" });
  expect((await verdict)?.type).toBe("denied");
});

test("a question still open when the approver returns is denied, and a later answer is ignored", async () => {
  const { consent, requests, finish } = makeConsent();
  const context = makeContext();
  const [verdict] = consent.decide([makeCall(run)], context);
  await Promise.resolve();
  finish();
  expect(await verdict).toMatchObject({
    type: "denied",
    decision: { by: { type: "default" }, reason: "Denied: The approver gave no answer.", unasked: false },
  });
  requests[0]?.answer(requests[0].questions[0]?.id ?? "", { type: "allow", scope: "conversation" });
  expect(context.grants.answers.size).toBe(0);
});

test("an approver that throws denies what is open, with its message escaped and cut", async () => {
  for (const approve of [
    () => {
      throw new Error(`no terminal\u001b[2K${"x".repeat(1000)}`);
    },
    () => Promise.reject("no terminal\u001b[2K"),
  ]) {
    const { consent } = makeConsent({ approve });
    const reason = await decisionOf(consent, makeCall(run));
    expect(reason).toContain("deny by default: Denied: The approver failed: no terminal\\u001b[2K");
    expect(reason.length).toBeLessThan(300);
  }
});

test("an approver that answers at once and synchronously is heard", async () => {
  const { consent } = makeConsent({
    approve: (request) => request.answer(request.questions[0]?.id ?? "", once),
  });
  expect(await decisionOf(consent, makeCall(run))).toBe("allow by person: Allowed once by the person.");
});

test("an answer that is neither an allow nor a deny is a deny", async () => {
  for (const answer of ["yes", null, undefined, {}, { type: "Allow" }, true]) {
    const { consent } = makeConsent({
      approve: (request) =>
        request.answer(request.questions[0]?.id ?? "", answer as unknown as ApprovalAnswer),
    });
    expect(await decisionOf(consent, makeCall(run))).toBe(
      "deny by default: Denied: The approver answered neither allow nor deny.",
    );
  }
});

test("an abort denies what is open at once, and answers after it are ignored", async () => {
  const { consent, requests } = makeConsent();
  const context = makeContext();
  const [verdict] = consent.decide([makeCall(run)], context);
  await Promise.resolve();
  context.abort();
  expect(requests[0]?.signal.aborted).toBe(true);
  requests[0]?.answer(requests[0].questions[0]?.id ?? "", once);
  expect(await settled(verdict)).toMatchObject({
    type: "denied",
    decision: { by: { type: "default" }, unasked: false, reason: expect.stringContaining("aborted") },
  });
});

test("a run that is already aborted asks nobody", async () => {
  const { consent, requests } = makeConsent();
  const context = makeContext();
  context.abort();
  expect(await decisionOf(consent, makeCall(run), context)).toContain("aborted");
  expect(requests).toEqual([]);
  expect(context.events).toEqual([]);
});

test("a rule that is not valid is told when the consent is made", () => {
  expect(() => makeConsent({ rules: ["allow everything"] })).toThrow(
    "The rule `allow everything` is not valid",
  );
});

test("hidden tools are known by the rules", () => {
  const { consent } = makeConsent({ rules: ["hide workspace/run_*"] });
  expect(consent.hidden(run.route)).toBe(true);
  expect(consent.hidden(read.route)).toBe(false);
});
