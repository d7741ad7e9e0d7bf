import type { ApprovalAnswer, ApprovalQuestion, ApprovalRequest, Approver } from "../types/approval.ts";
import { routeText } from "./show/render-events.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { count } from "./terminal/units.ts";

export interface ApproverParts {
  readonly terminal: Terminal;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** The lines that show a question, escaped; `full`: without folding long strings. */
  readonly renderQuestion: (
    question: ApprovalQuestion,
    settings: {
      readonly width: number;
      readonly full: boolean;
      readonly redact: (text: string) => string;
    },
  ) => readonly string[];
  /** Ctrl-C in the prompt. */
  readonly interrupt: () => void;
}

type Choice = "once" | "conversation" | "deny" | "message" | "full";
type Prompts = typeof import("@clack/prompts");

/** Asks the person at the terminal, one question after the other, on standard error. */
export function createTerminalApprover(parts: ApproverParts): Approver {
  let queue = Promise.resolve();
  return (request) => {
    const asked = queue.then(() => askAll(request, parts));
    queue = asked.catch(() => {});
    return asked;
  };
}

async function askAll(request: ApprovalRequest, parts: ApproverParts): Promise<void> {
  const prompts = await import("@clack/prompts");
  parts.terminal.hold();
  try {
    parts.output.write(`${headLines(request).join("\n")}\n`);
    for (const question of request.questions) {
      if (request.signal.aborted) return;
      const answer = await ask(question, request, parts, prompts);
      if (answer === null) {
        if (!request.signal.aborted) parts.interrupt();
        return;
      }
      request.answer(question.id, answer);
    }
  } finally {
    parts.terminal.release();
  }
}

/** The whole turn: what is asked, and what runs beside it without a question. */
function headLines(request: ApprovalRequest): string[] {
  const beside = request.decided.map((call) => routeText(call.tool.route));
  const head = `The model wants to use ${request.questions.length === 1 ? "a tool" : count(request.questions.length, "tool")}.`;
  return beside.length === 0 ? ["", head] : ["", head, `Decided already in this turn: ${beside.join(", ")}`];
}

/** The answer to one question; null when the prompt was left by Ctrl-C or closed by the run's end. */
async function ask(
  question: ApprovalQuestion,
  { signal, redact }: ApprovalRequest,
  parts: ApproverParts,
  prompts: Prompts,
): Promise<ApprovalAnswer | null> {
  const { input, output } = parts;
  const width = Math.max(20, (output.columns || 80) - 1);
  const lines = (full: boolean): string => parts.renderQuestion(question, { width, full, redact }).join("\n");
  let shown = lines(false);
  const whole = lines(true);
  for (;;) {
    output.write(`\n${shown}\n`);
    const choice = await choose(question, shown !== whole, signal, parts, prompts);
    if (choice === null) return null;
    if (choice === "once" || choice === "conversation") return { type: "allow", scope: choice };
    if (choice === "deny") return { type: "deny" };
    if (choice === "message") {
      const message = await prompts.text({ message: "Message to the model", input, output, signal });
      if (prompts.isCancel(message)) return null;
      return message.trim() === "" ? { type: "deny" } : { type: "deny", message };
    }
    shown = whole;
  }
}

async function choose(
  question: ApprovalQuestion,
  folded: boolean,
  signal: AbortSignal,
  { input, output }: ApproverParts,
  prompts: Prompts,
): Promise<Choice | null> {
  const options: { value: Choice; label: string }[] = [{ value: "once", label: "Allow once" }];
  if (question.scopes.includes("conversation")) {
    options.push({ value: "conversation", label: "Allow in this conversation" });
  }
  options.push({ value: "deny", label: "Deny" }, { value: "message", label: "Deny, and tell the model why" });
  if (folded) options.push({ value: "full", label: "Show the arguments in full" });
  const message = question.calls.length === 1 ? "Run it?" : `Run these ${question.calls.length} calls?`;
  // Denying is preselected: an Enter typed ahead must not run anything.
  const choice = await prompts.select<Choice>({
    message,
    options,
    initialValue: "deny",
    input,
    output,
    signal,
  });
  return prompts.isCancel(choice) ? null : choice;
}
