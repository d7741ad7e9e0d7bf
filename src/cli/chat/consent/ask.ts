import type { ApprovalAnswer, ApprovalQuestion, ApprovalRequest } from "../../../types/approval.ts";
import type { ArgumentCondition } from "../../../types/grants.ts";
import type { Clock } from "../../../types/ports.ts";
import { cutToColumns } from "../../../util/columns.ts";
import { routeText } from "../../show/render-events.ts";
import type { Input } from "../../terminal/key.ts";
import type { Keyboard } from "../../terminal/keyboard.ts";
import type { Paint } from "../../terminal/paint.ts";
import { listenWhenQuiet, noAnswer } from "../../terminal/read-key.ts";
import type { Screen } from "../../terminal/screen.ts";
import { count } from "../../terminal/units.ts";
import { readLine } from "../read-line.ts";
import {
  answerText,
  type Choice,
  choiceRows,
  choicesOf,
  chosen,
  type DescribeConditions,
  narrowing,
  type OfferedChoice,
} from "./choices.ts";

export interface AskParts {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly clock: Clock;
  readonly paint: Paint;
  /** The lines that show a question, escaped; `full`: without folding long strings. */
  readonly renderQuestion: (
    question: ApprovalQuestion,
    settings: {
      readonly width: number;
      readonly full: boolean;
      readonly redact: (text: string) => string;
    },
  ) => readonly string[];
  readonly describeConditions: DescribeConditions;
  /** Ctrl-C at a question. */
  readonly interrupt: () => void;
}

/** Rows that the choices take, and the line of an answer. */
const choiceSpace = 6;

/** A question of the turn, rendered. */
interface Shown {
  /** The rows that it takes on the screen, as last printed. */
  place: { readonly start: number; readonly end: number };
  /** Nothing of it is folded, or it was shown whole. */
  whole: boolean;
  readonly question: ApprovalQuestion;
  /** `2 of 3 `, or nothing when there is one. */
  readonly number: string;
  readonly short: readonly string[];
  readonly full: readonly string[];
}

/** Shows all questions of a turn, then asks one after the other. What is not answered when it returns stays open. */
export async function askQuestions(request: ApprovalRequest, parts: AskParts): Promise<void> {
  const { screen, paint } = parts;
  const shown = request.questions.map((question, index) => render(question, index, request, parts));
  for (const line of headLines(request)) screen.marked(line);
  for (const one of shown) printQuestion(one, one.short, screen, paint);
  const open = new Set(shown);
  for (const [index, one] of shown.entries()) {
    if (!open.has(one)) continue;
    // What has left the screen at its top is shown again: nobody answers what they cannot see.
    if (!isOnScreen(one, screen) && screen.position() > one.place.end + choiceSpace)
      printQuestion(one, one.whole ? one.full : one.short, screen, paint);
    // Before the first question a message may be typed ahead; after an answer it is the same key once more.
    const early = index === 0 ? parts.keyboard.keep : () => {};
    const answered = await askOne(one, open, request, { ...parts, early });
    if (answered === null) return;
    for (const each of [...open].filter((each) => each === one || covers(answered, one, each))) {
      const { question, number } = each;
      open.delete(each);
      request.answer(question.id, answered.answer);
      const name = routeText(question.calls[0].tool.route);
      screen.marked(
        paint("dim", `  ${number}${name}: ${answerText(answered.answer, parts.describeConditions)}`),
      );
    }
  }
}

/** The questions that one key may allow together: what stands on the screen to its end, and may destroy nothing. */
function allowedTogether(one: Shown, open: ReadonlySet<Shown>, screen: Screen): ReadonlySet<Shown> {
  const together = [...open].filter(
    (each) =>
      each.whole &&
      isOnScreen(each, screen) &&
      each.question.calls[0].tool.definition.annotations.destructiveHint !== true,
  );
  return new Set(together.includes(one) ? together : []);
}

function isOnScreen({ place }: Shown, screen: Screen): boolean {
  return screen.position() - place.start + choiceSpace <= screen.rows();
}

/** Whether the answer to one question is also the one to another: those it was given for, or all calls of the tool. */
function covers({ answer, all }: Answered, { question: answered }: Shown, each: Shown): boolean {
  if (all !== null) return all.has(each);
  const { question } = each;
  if (answer.type !== "allow" || answer.scope === "once" || answer.conditions !== undefined) return false;
  const [{ tool }] = answered.calls;
  const [{ tool: other }] = question.calls;
  return (
    other.route.server === tool.route.server &&
    other.route.tool === tool.route.tool &&
    other.definitionHash === tool.definitionHash &&
    question.reason === answered.reason &&
    question.scopes.includes(answer.scope)
  );
}

function render(
  question: ApprovalQuestion,
  index: number,
  { questions, redact }: ApprovalRequest,
  { renderQuestion, screen }: AskParts,
): Shown {
  const width = screen.columns() - 3;
  const short = renderQuestion(question, { width, full: false, redact });
  const full = renderQuestion(question, { width, full: true, redact });
  return {
    ...{ question, short, full },
    number: questions.length === 1 ? "" : `${index + 1} of ${questions.length} `,
    place: { start: 0, end: 0 },
    whole: short.join("\n") === full.join("\n"),
  };
}

/** The whole turn: what is asked, and what runs beside it without a question. */
function headLines({ questions, decided }: ApprovalRequest): string[] {
  const beside = decided.map((call) => routeText(call.tool.route));
  const head = `The model wants to use ${questions.length === 1 ? "a tool" : count(questions.length, "tool")}.`;
  return ["", head, ...(beside.length === 0 ? [] : [`Decided already in this turn: ${beside.join(", ")}`])];
}

/** The line of a question behind which stands what would run: of that no space may get lost. */
const argumentsHead = "Arguments:";

function printQuestion(one: Shown, lines: readonly string[], screen: Screen, paint: Paint): void {
  const start = screen.position();
  const { number } = one;
  const [head = "", ...rest] = lines;
  screen.line("");
  screen.line(paint("bold", `${number}${head}`));
  const end = rest.indexOf(argumentsHead) + 1;
  for (const line of rest.slice(0, end)) screen.line(`  ${line}`);
  for (const line of rest.slice(end)) screen.exact(`  ${line}`);
  one.place = { start, end: screen.position() };
}

interface AskOneParts extends AskParts {
  /** What is done with a key that was pressed before the choices were there. */
  readonly early: (input: Input) => void;
}

interface Answered {
  readonly answer: ApprovalAnswer;
  /** The questions that it was given for; null: the one that was asked. */
  readonly all: ReadonlySet<Shown> | null;
}

/** The answer to one question; null when it was left by Ctrl-C, or the run ended. */
async function askOne(
  one: Shown,
  open: ReadonlySet<Shown>,
  { signal }: ApprovalRequest,
  parts: AskOneParts,
): Promise<Answered | null> {
  const { screen, keyboard, paint } = parts;
  const { question, number, full } = one;
  const name = `${number}${routeText(question.calls[0].tool.route)}`;
  let narrowedTo: readonly ArgumentCondition[] | null = null;
  const { describeConditions: describe } = parts;
  for (;;) {
    const together = allowedTogether(one, open, screen);
    const counts = { open: open.size, together: together.size };
    const choice = await choose(
      name,
      choicesOf(question, { ...counts, folded: !one.whole, narrowedTo, describe }),
      signal,
      parts,
    );
    if (choice === null) return null;
    if (choice.type === "answer") return { answer: choice.answer, all: null };
    if (choice.type === "answer_all")
      return { answer: choice.answer, all: choice.answer.type === "allow" ? together : open };
    if (choice.type === "show_all") {
      one.whole = true;
      printQuestion(one, full, screen, paint);
      continue;
    }
    if (choice.type === "narrow") {
      narrowedTo = narrowedTo === null ? narrowing(question) : null;
      screen.line(`  ${whichCalls(narrowedTo, parts)}`);
      continue;
    }
    const read = await readLine("Why not? (to the model) ", { screen, keyboard, signal });
    if (read.type === "text") {
      const message = read.text.trim();
      return { answer: message === "" ? { type: "deny" } : { type: "deny", message }, all: null };
    }
    if (read.interrupted) {
      if (!signal.aborted) parts.interrupt();
      return null;
    }
  }
}

function whichCalls(
  conditions: readonly ArgumentCondition[] | null,
  { describeConditions }: AskParts,
): string {
  if (conditions === null) return "An answer for later calls holds whatever their arguments are.";
  return `An answer for later calls holds when ${describeConditions(conditions)}.`;
}

/** Waits for a key that is a choice; null when the question was left. */
function choose(
  name: string,
  choices: readonly OfferedChoice[],
  signal: AbortSignal,
  parts: AskOneParts,
): Promise<Choice | null> {
  const { screen, keyboard, clock, paint, interrupt, early } = parts;
  const draw = (note: string): void => {
    const columns = screen.columns() - 1;
    const head = cutToColumns(`Run ${name}? Press a letter.${note}`, columns);
    screen.area([paint("yellow", head), ...choiceRows(choices, columns)]);
  };
  return new Promise((resolve) => {
    const finish = (choice: Choice | null): void => {
      stop();
      signal.removeEventListener("abort", onAbort);
      screen.area([]);
      resolve(choice);
    };
    const onAbort = () => finish(null);
    const onInput = (input: Input): void => {
      if (input.type === "end" || (input.type === "key" && input.ctrl && input.name === "c")) {
        finish(null);
        interrupt();
        return;
      }
      const choice = chosen(input, choices);
      if (choice !== undefined) finish(choice);
      else draw(noAnswer(input, "is none of them"));
    };
    const stop = listenWhenQuiet({ keyboard, clock, signal, early, onReady: () => draw(""), onInput });
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
