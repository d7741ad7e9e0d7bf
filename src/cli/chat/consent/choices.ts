import type { ApprovalAnswer, ApprovalQuestion } from "../../../types/approval.ts";
import type { ArgumentCondition } from "../../../types/grants.ts";
import type { Input } from "../../terminal/key.ts";

/** What a key at a question asks for. */
export type Choice =
  | { readonly type: "answer"; readonly answer: ApprovalAnswer }
  /** The same answer for all questions that are open; what allows is for those only that may be allowed together. */
  | { readonly type: "answer_all"; readonly answer: ApprovalAnswer }
  | { readonly type: "message" }
  | { readonly type: "show_all" }
  /** Whether later calls must meet the conditions. */
  | { readonly type: "narrow" };

export interface OfferedChoice {
  /** The letter to press. */
  readonly key: string;
  readonly label: string;
  readonly choice: Choice;
}

export interface Offering {
  /** Questions of the turn that are not answered, this one among them. */
  readonly open: number;
  /** Those of them that one key may allow, this one among them; none where this one must be answered by itself. */
  readonly together: number;
  /** Whether something of what is shown was folded. */
  readonly folded: boolean;
  /** What later calls must meet, where the person wants that. */
  readonly narrowedTo: readonly ArgumentCondition[] | null;
  readonly describe: DescribeConditions;
}

/** Conditions in words, escaped. */
export type DescribeConditions = (conditions: readonly ArgumentCondition[]) => string;

/** Longer words of a choice are left to the line that it prints. */
const longestLabel = 40;

const once = { type: "allow", scope: "once" } as const;

/**
 * What is offered of a question's conditions, together: where the call goes, else all its values. Null for nothing, and
 * where no answer holds for later calls.
 */
export function narrowing({
  conditions = [],
  scopes,
}: ApprovalQuestion): readonly ArgumentCondition[] | null {
  if (conditions.length === 0 || scopes.length < 2) return null;
  const places = conditions.filter((one) => one.type !== "equals" || mayBePlace(one.value));
  return places.some(({ type }) => type !== "only") ? places : conditions;
}

/** Whether a value may say where a call goes though it names no folder and no host: `~/a`, `/a`, `../a`, `a.txt`. */
function mayBePlace(value: unknown): boolean {
  return typeof value === "string" && !/\s/.test(value) && /[/\\:.~$%\u2024-\u2026\uff0e]/.test(value);
}

/** What may be answered to a question. There is no default: a key that is none of these answers nothing. */
export function choicesOf(
  question: ApprovalQuestion,
  { open, together, folded, narrowedTo, describe }: Offering,
): readonly OfferedChoice[] {
  return [
    { key: "y", label: "allow once", choice: { type: "answer", answer: once } },
    ...widerChoices(question, narrowedTo, describe),
    { key: "n", label: "deny", choice: { type: "answer", answer: { type: "deny" } } },
    { key: "m", label: "deny and say why", choice: { type: "message" } },
    ...(folded ? [{ key: "s", label: "show everything", choice: { type: "show_all" } } as const] : []),
    ...(together > 1
      ? [
          {
            key: "o",
            label: together === open ? `allow all ${open} once` : `allow ${together} of these ${open} once`,
            choice: { type: "answer_all", answer: once },
          } as const,
        ]
      : []),
    ...(open > 1
      ? ([
          { key: "x", label: `deny all ${open}`, choice: { type: "answer_all", answer: { type: "deny" } } },
        ] as const)
      : []),
  ];
}

/** The answers that hold for later calls too. */
function widerChoices(
  question: ApprovalQuestion,
  narrowedTo: readonly ArgumentCondition[] | null,
  describe: DescribeConditions,
): readonly OfferedChoice[] {
  const such = narrowedTo === null ? "" : " such calls";
  const wider = [
    { scope: "conversation", key: "c", label: `allow${such} in this conversation` },
    { scope: "always", key: "a", label: `always allow${such}` },
  ] as const;
  const conditions = narrowedTo === null ? {} : { conditions: narrowedTo };
  const offered = wider.filter(({ scope }) => question.scopes.includes(scope));
  const narrower = narrowing(question);
  const toggle = (conditions: readonly ArgumentCondition[]): string => {
    const words = `only when ${describe(conditions)}`;
    if (narrowedTo !== null) return "whatever the arguments";
    return words.length <= longestLabel ? words : "only with such arguments";
  };
  return [
    ...offered.map(({ scope, key, label }): OfferedChoice => {
      return { key, label, choice: { type: "answer", answer: { type: "allow", scope, ...conditions } } };
    }),
    ...(narrower === null
      ? []
      : [{ key: "w", label: toggle(narrower), choice: { type: "narrow" } } as const]),
  ];
}

/** The choice of a pressed key, if it is one. Enter, Escape and pasted text never are. */
export function chosen(input: Input, choices: readonly OfferedChoice[]): Choice | undefined {
  if (input.type !== "key" || input.ctrl || input.meta) return undefined;
  return choices.find(({ key }) => key === input.text.toLowerCase())?.choice;
}

/** The choices in as few rows as the columns allow: `y allow once · n deny`. */
export function choiceRows(
  choices: readonly Pick<OfferedChoice, "key" | "label">[],
  columns: number,
): readonly string[] {
  const rows: string[] = [];
  for (const { key, label } of choices) {
    const text = `[${key}] ${label}`;
    const last = rows.at(-1);
    const joined = `${last}   ${text}`;
    if (last === undefined || joined.length > columns) rows.push(text);
    else rows[rows.length - 1] = joined;
  }
  return rows;
}

/** What stays on the screen of an answer. */
export function answerText(answer: ApprovalAnswer, describe: DescribeConditions): string {
  if (answer.type === "deny") return answer.message === undefined ? "denied" : "denied, with your message";
  if (answer.scope === "once") return "allowed once";
  const when = answer.conditions === undefined ? "" : `, when ${describe(answer.conditions)}`;
  return `${answer.scope === "conversation" ? "allowed in this conversation" : "allowed from now on"}${when}`;
}
