import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import type { ApprovalQuestion, ApprovalRequest, Approver } from "../types/approval.ts";
import { askApprover, type Reply } from "./ask.ts";

/** What became of the questions `a` and `b`, in the order in which they ended. */
function ask(approve: Approver, controller = new AbortController()) {
  const replies: [string, Reply][] = [];
  const questions = ["a", "b"].map((id) => ({ id }) as ApprovalQuestion);
  const request = { questions, signal: controller.signal } as unknown as ApprovalRequest;
  askApprover(approve, request, (id, reply) => void replies.push([id, reply]));
  const listeners = () => getEventListeners(controller.signal, "abort").length;
  return { replies, controller, listeners };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const allow = { type: "allow", scope: "once" } as const;
const answered: Reply = { type: "answered", answer: allow };
const unanswered = (reason: string, unasked = false): Reply => ({ type: "unanswered", reason, unasked });

test("every question has one reply, and what was not asked has none", async () => {
  const { replies } = ask(async ({ answer }) => {
    answer("c", allow);
    answer("a", allow);
    answer("a", { type: "deny" });
  });
  await settle();
  expect(replies).toEqual([
    ["a", answered],
    ["b", unanswered("The approver gave no answer.")],
  ]);
});

test("the end of the run is listened for as long as a question is open", async () => {
  let answer: ApprovalRequest["answer"] = () => {};
  const { listeners, controller, replies } = ask((request) => {
    answer = request.answer;
    return new Promise(() => {});
  });
  answer("a", allow);
  expect(listeners()).toBe(1);
  controller.abort();
  expect(replies[1]).toEqual(["b", unanswered("The run was aborted before anybody answered.")]);
  expect(listeners()).toBe(0);
  answer("b", allow);
  expect(replies).toHaveLength(2);
});

test("a run that has ended already asks nobody", () => {
  const controller = new AbortController();
  controller.abort();
  const { replies, listeners } = ask(() => expect.unreachable("asked"), controller);
  expect(replies.map(([id]) => id)).toEqual(["a", "b"]);
  expect(listeners()).toBe(0);
});

test("an approver that fails has not asked: its words are told, escaped and at most 200 characters", async () => {
  for (const [thrown, told] of [
    [new Error("no\u0007terminal"), "no\\u0007terminal"],
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), `${"x".repeat(200)}…`],
  ] as const) {
    const { replies } = ask(() => Promise.reject(thrown));
    await settle();
    expect(replies[0]).toEqual(["a", unanswered(`The approver failed: ${told}`, true)]);
  }
});
