import { messageOf } from "../errors.ts";
import type { ApprovalAnswer, ApprovalRequest, Approver } from "../types/approval.ts";
import { visibleLine } from "../util/visible.ts";
import { readAnswer } from "./read-answer.ts";

/** How a question ended. */
export type Reply =
  | { readonly type: "answered"; readonly answer: ApprovalAnswer }
  /** `unasked`: the approver could not ask at all. */
  | { readonly type: "unanswered"; readonly reason: string; readonly unasked: boolean };

/**
 * Puts all questions of a turn to the approver. `reply` is called exactly once for each of them, whatever the approver
 * does: answers twice, answers what was not asked, returns early, throws, or never ends while the run is aborted.
 */
export function askApprover(
  approve: Approver,
  request: Omit<ApprovalRequest, "answer">,
  reply: (questionId: string, reply: Reply) => void,
): void {
  const open = new Set(request.questions.map((question) => question.id));
  const { signal } = request;

  function settle(questionId: string, how: Reply): void {
    if (!open.delete(questionId)) return;
    if (open.size === 0) signal.removeEventListener("abort", onAbort);
    reply(questionId, how);
  }
  function settleAll(reason: string, unasked: boolean): void {
    for (const questionId of [...open]) settle(questionId, { type: "unanswered", reason, unasked });
  }
  function onAbort(): void {
    settleAll("The run was aborted before anybody answered.", false);
  }

  async function run(): Promise<void> {
    try {
      await approve({
        ...request,
        answer: (questionId, answer) => settle(questionId, replyOf(answer)),
      });
      settleAll("The approver gave no answer.", false);
    } catch (thrown) {
      settleAll(`The approver failed: ${sentence(thrown)}`, true);
    }
  }

  if (signal.aborted) onAbort();
  else {
    signal.addEventListener("abort", onAbort);
    void run();
  }
}

function replyOf(answer: unknown): Reply {
  try {
    const read = readAnswer(answer);
    if (read !== null) return { type: "answered", answer: read };
    return { type: "unanswered", reason: "The approver answered neither allow nor deny.", unasked: false };
  } catch (thrown) {
    return {
      type: "unanswered",
      reason: `The approver's answer cannot be read: ${sentence(thrown)}`,
      unasked: false,
    };
  }
}

function sentence(thrown: unknown): string {
  const text = messageOf(thrown);
  return visibleLine(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
