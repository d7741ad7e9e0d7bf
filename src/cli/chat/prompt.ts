import { columnsOf, cutToColumns } from "../../util/columns.ts";
import { visibleLine } from "../../util/visible.ts";
import type { Input } from "../terminal/key.ts";
import type { Keyboard } from "../terminal/keyboard.ts";
import type { Paint } from "../terminal/paint.ts";
import type { Screen } from "../terminal/screen.ts";
import { applyCompletion, type Completion, type CompletionSources, complete } from "./editor/completion.ts";
import { type EditorState, newEditor, press } from "./editor/editor.ts";
import { layoutInput } from "./editor/layout.ts";
import { withoutMentions } from "./mentions.ts";

/** What the person did at the prompt. */
export type Prompted =
  | { readonly type: "text"; readonly text: string }
  /** Ctrl-D, Ctrl-C twice, or the terminal went away. */
  | { readonly type: "leave"; readonly interrupted: boolean };

export interface PromptParts {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly paint: Paint;
  readonly sources: CompletionSources;
  readonly history: readonly string[];
  /** What stands in the input at first. */
  readonly text: string;
  readonly signal: AbortSignal;
  /** Asks for one thing in the place of a message: it may be empty, and Ctrl-C leaves at once. */
  readonly question?: PromptQuestion;
}

export interface PromptQuestion {
  /** In front of the input, escaped already. */
  readonly label: string;
  /** What the whole input may be. */
  complete(typed: string): Promise<readonly string[]>;
}

const promptText = "> ";
/** Rows of a sent message that stay on the screen. */
const mostSentRows = 12;
const mostCandidateRows = 6;

/** Candidates side by side, in as many rows as there may be. */
export function candidateRows(candidates: readonly string[], columns: number): string[] {
  const texts = candidates.slice(0, 200).map((text) => cutToColumns(visibleLine(text), columns - 2));
  const width = Math.max(...texts.map(columnsOf)) + 2;
  const perRow = Math.max(1, Math.floor(columns / width));
  const rows: string[] = [];
  for (let at = 0; at < texts.length; at += perRow) {
    const row = texts.slice(at, at + perRow).map((text) => text + " ".repeat(width - columnsOf(text)));
    rows.push(row.join("").trimEnd());
  }
  if (rows.length <= mostCandidateRows) return rows;
  const kept = rows.slice(0, mostCandidateRows - 1);
  return [...kept, `… ${candidates.length - kept.length * perRow} more`];
}

/** Reads one input of the person: many lines, history, completion. */
export function readPrompt(parts: PromptParts): Promise<Prompted> {
  return new Promise((resolve) => openPrompt(parts, resolve));
}

function openPrompt(parts: PromptParts, resolve: (prompted: Prompted) => void): void {
  const { screen, keyboard, signal, question } = parts;
  let state = newEditor(parts.history, parts.text);
  let note: readonly string[] = [];
  let interrupts = 0;
  let over = false;

  function draw(): void {
    const columns = screen.columns();
    const rows = Math.max(1, screen.rows() - 2 - note.length);
    const laid = layoutInput(state, { columns, rows, ...beginnings(parts) });
    screen.area([...laid.rows, ...note.map((row) => parts.paint("dim", row))], laid.cursor);
  }

  function finish(prompted: Prompted): void {
    over = true;
    stop();
    signal.removeEventListener("abort", onAbort);
    screen.area([]);
    if (state.text.trim() !== "") for (const row of sentRows(state, parts)) screen.line(row);
    resolve(prompted);
  }

  const onAbort = () => finish({ type: "leave", interrupted: true });

  function interrupt(): void {
    if (question !== undefined) {
      finish({ type: "leave", interrupted: true });
      return;
    }
    interrupts = state.text === "" ? interrupts + 1 : 1;
    if (interrupts > 1) finish({ type: "leave", interrupted: true });
    else {
      state = newEditor(parts.history);
      note = ["Press Ctrl-C again to leave, or Ctrl-D."];
      draw();
    }
  }

  async function tab(): Promise<void> {
    const asked = state;
    const completion = await completionOf(asked, parts);
    if (over || state !== asked || completion === null) return;
    state = completed(state, completion);
    note = state === asked ? candidateRows(completion.candidates, screen.columns() - 1) : [];
    draw();
  }

  function hear(input: Input): void {
    const { state: next, effect } = press(state, typedOrPasted(input));
    state = next;
    note = [];
    if (effect !== "interrupt") interrupts = 0;
    if (effect === "interrupt") interrupt();
    else if (effect === "leave") finish({ type: "leave", interrupted: input.type === "end" });
    else if (effect === "submit" && (question !== undefined || state.text.trim() !== ""))
      finish({ type: "text", text: state.text });
    else if (effect === "complete") tab().catch(() => {});
    else if (effect === "redraw") screen.clear();
    else if (effect === "suspend") suspend(parts, draw);
    else draw();
  }

  const stop = keyboard.listen(hear);
  signal.addEventListener("abort", onAbort, { once: true });
  draw();
  if (signal.aborted) onAbort();
  for (const input of keyboard.takeKept()) {
    if (over) keyboard.keep(input);
    else hear(input);
  }
}

/** What stands in front of the rows. */
function beginnings({ question, screen }: PromptParts): { prompt: string; indent: string } {
  const prompt =
    question === undefined ? promptText : `${cutToColumns(question.label, screen.columns() / 2)}> `;
  return { prompt, indent: " ".repeat(columnsOf(prompt)) };
}

async function completionOf(
  state: EditorState,
  { question, sources }: PromptParts,
): Promise<Completion | null> {
  if (question === undefined) return complete(state, sources);
  const typed = state.text.slice(0, state.cursor);
  const candidates = await question.complete(typed);
  return { from: 0, candidates: candidates.filter((candidate) => candidate.startsWith(typed)) };
}

function typedOrPasted(input: Input): Input {
  return input.type === "paste" ? { ...input, text: withoutMentions(input.text) } : input;
}

/** Nothing of the input stays behind for the shell to write over. */
function suspend({ keyboard, screen }: PromptParts, draw: () => void): void {
  screen.area([]);
  keyboard.suspend().then(draw, () => {});
}

function completed(state: EditorState, completion: Completion): EditorState {
  const edited = applyCompletion(state, completion);
  return edited === null ? state : { ...state, ...edited };
}

/** What stays on the screen of a message: its beginning, when it is long. */
function sentRows(state: EditorState, parts: PromptParts): readonly string[] {
  const { screen, paint } = parts;
  const { prompt, indent } = beginnings(parts);
  const start = { text: state.text.slice(0, 20_000), cursor: 0 };
  const columns = screen.columns();
  const { rows } = layoutInput(start, { columns, rows: mostSentRows + 1, prompt, indent });
  if (rows.length <= mostSentRows) return rows.map((row) => paint("bold", row));
  const size = state.text.length.toLocaleString("en-US");
  return [
    ...rows.slice(0, mostSentRows - 1).map((row) => paint("bold", row)),
    paint("dim", `${indent}… ${size} characters in all`),
  ];
}
