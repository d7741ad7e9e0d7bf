import { renderQuestion } from "../../src/index.ts";
import type { FakeServer, ScriptedCall, ScriptedStep } from "../../src/testing/index.ts";
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalRequest,
  Approver,
} from "../../src/types/approval.ts";
import type { AuditEntry } from "../../src/types/audit.ts";
import type { RunEvent } from "../../src/types/events.ts";
import { type Ran, type RunSettings, runScript, textOf } from "../support/run-host.ts";

/** The person: what they say to a question, with its number from 1; null leaves it open. */
export type Person = (question: ApprovalQuestion, number: number) => ApprovalAnswer | null;

export const once: Person = () => ({ type: "allow", scope: "once" });
export const forConversation: Person = () => ({ type: "allow", scope: "conversation" });
const refuses: Person = () => ({ type: "deny" });

export interface Attacked extends Ran {
  readonly questions: readonly ApprovalQuestion[];
  /** What stood on the screen, question by question. */
  readonly shown: readonly string[];
  /** `allow` or `deny` of each decision, in order. */
  readonly decisions: readonly string[];
  /** The text of each result that the model got. */
  readonly told: readonly string[];
}

export interface AttackSettings extends RunSettings {
  /** Null: nobody can be asked. Default: they refuse, so that what was sent was sent unasked. */
  readonly person?: Person | null;
  readonly onRequest?: (request: ApprovalRequest) => void;
}

/** A turn with these calls. */
export const calling = (...calls: readonly ScriptedCall[]): ScriptedStep => ({ calls });

/** Runs the turns on fake servers, without rules unless some are given. */
export async function attack(
  turns: readonly ScriptedStep[],
  servers: Readonly<Record<string, Pick<FakeServer, "config">>>,
  { person = refuses, onRequest, ...settings }: AttackSettings = {},
): Promise<Attacked> {
  const questions: ApprovalQuestion[] = [];
  const shown: string[] = [];
  const approve: Approver = (request) => {
    onRequest?.(request);
    for (const question of request.questions) {
      questions.push(question);
      shown.push(renderQuestion(question, { redact: request.redact }).join("\n"));
      const answer = person?.(question, questions.length) ?? null;
      if (answer !== null) request.answer(question.id, answer);
    }
  };
  const asking = person === null ? {} : { approve };
  const ran = await runScript([...turns, { text: "done" }], { servers, policy: {}, ...asking, ...settings });
  const decisions = ran.events.flatMap((event) => (event.type === "call_decided" ? [event.decision] : []));
  const told = ran.result.messages.flatMap((message) =>
    message.role === "user"
      ? message.content.flatMap((block) => (block.type === "tool_result" ? [textOf(block)] : []))
      : [],
  );
  return { ...ran, questions, shown, decisions, told };
}

export function entriesOf<K extends AuditEntry["kind"]>(
  audit: readonly AuditEntry[],
  kind: K,
): readonly Extract<AuditEntry, { kind: K }>[] {
  return audit.filter((entry): entry is Extract<AuditEntry, { kind: K }> => entry.kind === kind);
}

export function eventsOf<T extends RunEvent["type"]>(
  events: readonly RunEvent[],
  type: T,
): readonly Extract<RunEvent, { type: T }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}
