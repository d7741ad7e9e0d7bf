import { expect, test } from "vitest";
import { makeConsent, makeContext, settled } from "../../test/support/consent.ts";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import type { ApprovalAnswer, ApprovalRequest } from "../types/approval.ts";

const run = makeTool({ name: "run_command" });
const once: ApprovalAnswer = { type: "allow", scope: "once" };
const always: ApprovalAnswer = { type: "allow", scope: "conversation" };
const hour = 3_600_000;

const idOf = (request: ApprovalRequest | undefined) => request?.questions[0]?.id ?? "";

test("a person may take hours: nothing is decided for them, and how long they took is told", async () => {
  const { consent, requests, clock } = makeConsent();
  const [verdict] = consent.decide([makeCall(run)], makeContext());
  await clock.advance(9 * hour);
  expect(await settled(verdict)).toBeNull();
  expect(clock.pending()).toBe(0);
  requests[0]?.answer(idOf(requests[0]), once);
  expect(await verdict).toMatchObject({ approved: { decision: { waitedMs: 9 * hour } } });
});

test("an answer belongs to its request: those of another run, turn or conversation do not count", async () => {
  const { consent, requests } = makeConsent();
  const call = () => makeCall(run, { command: "ls" });
  const contexts = [makeContext(), makeContext({ runId: "run_2" }), makeContext({ turn: 2 })];
  const verdicts = contexts.map((context) => consent.decide([call()], context)[0]);
  await Promise.resolve();
  const [first, second, third] = requests;
  expect(new Set(requests.map(idOf)).size).toBe(3);
  first?.answer(idOf(second), once);
  second?.answer(idOf(third), once);
  third?.answer(idOf(first), once);
  for (const verdict of verdicts) expect(await settled(verdict)).toBeNull();
  first?.answer(idOf(first), once);
  expect((await verdicts[0])?.type).toBe("approved");
  expect(await settled(verdicts[1])).toBeNull();
  expect(await settled(verdicts[2])).toBeNull();
});

test("an answer that was given cannot be given again for an identical call of a later turn", async () => {
  const { consent, requests } = makeConsent();
  const context = makeContext();
  const [first] = consent.decide([makeCall(run)], context);
  await Promise.resolve();
  const used = idOf(requests[0]);
  requests[0]?.answer(used, once);
  await first;
  const [second] = consent.decide([makeCall(run)], makeContext({ ...context, turn: 2 }));
  await Promise.resolve();
  for (const request of requests) request.answer(used, always);
  expect(await settled(second)).toBeNull();
  expect(context.grants.answers.size).toBe(0);
});

test("an answer after the abort allows nothing, then or later", async () => {
  const { consent, requests } = makeConsent();
  const context = makeContext();
  const verdicts = consent.decide([makeCall(run, { n: 1 }), makeCall(run, { n: 2 })], context);
  await Promise.resolve();
  const ids = requests[0]?.questions.map(({ id }) => id) ?? [];
  context.abort();
  for (const id of ids) requests[0]?.answer(id, always);
  expect((await Promise.all(verdicts)).map((verdict) => verdict?.type)).toEqual(["denied", "denied"]);
  expect(context.grants.answers.size).toBe(0);
});

test("what is allowed for later calls while other questions of the turn are open answers none of these", async () => {
  const { consent, requests } = makeConsent();
  const context = makeContext();
  const verdicts = consent.decide([makeCall(run, { n: 1 }), makeCall(run, { n: 2 })], context);
  await Promise.resolve();
  const [first, second] = requests[0]?.questions ?? [];
  requests[0]?.answer(first?.id ?? "", always);
  expect((await verdicts[0])?.type).toBe("approved");
  expect(await settled(verdicts[1])).toBeNull();
  requests[0]?.answer(second?.id ?? "", { type: "deny" });
  expect((await verdicts[1])?.type).toBe("denied");
});

test("identical calls of a turn are one question that says how many they are, and each of them is stamped by itself", async () => {
  const { consent, requests } = makeConsent();
  const calls = [makeCall(run, { a: 1 }), makeCall(run, { a: 1 }), makeCall(run, { a: 1 })];
  const verdicts = consent.decide(calls, makeContext());
  await Promise.resolve();
  expect(requests[0]?.questions.map((question) => question.calls)).toEqual([calls]);
  requests[0]?.answer(idOf(requests[0]), once);
  const approved = (await Promise.all(verdicts)).map((verdict) =>
    verdict?.type === "approved" ? verdict.approved : null,
  );
  expect(approved.map((one) => one?.call)).toEqual(calls);
  expect(new Set(approved).size).toBe(3);
  for (const one of approved) expect(one === null ? "denied" : consent.recheck(one, run)).toBeNull();
});
