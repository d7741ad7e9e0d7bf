import type { Input } from "../../terminal/key.ts";
import {
  after,
  before,
  type EditedText,
  insert,
  lineEnd,
  lineStart,
  otherLine,
  removeTo,
  wordAfter,
  wordBefore,
} from "./text-edit.ts";

/** The input as it is being written. */
export interface EditorState extends EditedText {
  /** Earlier inputs, oldest first. */
  readonly history: readonly string[];
  /** Place in the history that is shown; null: the input is a new one. */
  readonly at: number | null;
  /** The new input, while the history is shown. */
  readonly draft: string;
  /** What was cut last. */
  readonly cut: string;
}

/** What a key asks for beyond editing. */
type EditorEffect = "submit" | "complete" | "interrupt" | "leave" | "redraw" | "suspend";

export interface Pressed {
  readonly state: EditorState;
  readonly effect?: EditorEffect;
}

export function newEditor(history: readonly string[], text = ""): EditorState {
  return { text, cursor: text.length, history, at: null, draft: "", cut: "" };
}

const withText = (state: EditorState, edited: EditedText): EditorState => ({ ...state, ...edited });
const moved = (state: EditorState, cursor: number): Pressed => ({ state: { ...state, cursor } });
const cutTo = (state: EditorState, to: number): Pressed => {
  const cut = state.text.slice(Math.min(to, state.cursor), Math.max(to, state.cursor));
  return { state: { ...withText(state, removeTo(state, to)), ...(cut === "" ? {} : { cut }) } };
};

/** Shows another input of the history, from its end on; past the newest one the draft comes back. */
function recall(state: EditorState, step: -1 | 1): Pressed {
  const at = (state.at ?? state.history.length) + step;
  if (at < 0 || at > state.history.length) return { state };
  const draft = state.at === null ? state.text : state.draft;
  const text = at === state.history.length ? draft : (state.history[at] ?? "");
  return {
    state: { ...state, text, cursor: text.length, at: at === state.history.length ? null : at, draft },
  };
}

/** A line that ends in a backslash goes on below. */
function enter(state: EditorState): Pressed {
  const end = { text: state.text, cursor: state.text.length };
  if (!state.text.endsWith("\\") || state.text.endsWith("\\\\")) return { state, effect: "submit" };
  return { state: withText(state, insert(removeTo(end, end.cursor - 1), "\n")) };
}

type Action = (state: EditorState) => Pressed;
const newLine: Action = (state) => ({ state: withText(state, insert(state, "\n")) });
const vertical =
  (step: -1 | 1): Action =>
  (state) => {
    const line = otherLine(state, step);
    return line === null ? recall(state, step) : { state: withText(state, line) };
  };

const plain: Readonly<Record<string, Action>> = {
  return: enter,
  enter: newLine,
  left: (state) => moved(state, before(state)),
  right: (state) => moved(state, after(state)),
  up: vertical(-1),
  down: vertical(1),
  home: (state) => moved(state, lineStart(state)),
  end: (state) => moved(state, lineEnd(state)),
  backspace: (state) => ({ state: withText(state, removeTo(state, before(state))) }),
  delete: (state) => ({ state: withText(state, removeTo(state, after(state))) }),
  tab: (state) => ({ state, effect: "complete" }),
};

const withCtrl: Readonly<Record<string, Action>> = {
  a: (state) => moved(state, lineStart(state)),
  b: (state) => moved(state, before(state)),
  c: (state) => ({ state, effect: "interrupt" }),
  d: (state) => (state.text === "" ? { state, effect: "leave" } : plain.delete?.(state)) ?? { state },
  e: (state) => moved(state, lineEnd(state)),
  f: (state) => moved(state, after(state)),
  h: (state) => ({ state: withText(state, removeTo(state, before(state))) }),
  j: newLine,
  k: (state) => cutTo(state, lineEnd(state)),
  l: (state) => ({ state, effect: "redraw" }),
  left: (state) => moved(state, wordBefore(state)),
  n: vertical(1),
  p: vertical(-1),
  right: (state) => moved(state, wordAfter(state)),
  u: (state) => cutTo(state, lineStart(state)),
  w: (state) => cutTo(state, wordBefore(state)),
  y: (state) => ({ state: withText(state, insert(state, state.cut)) }),
  z: (state) => ({ state, effect: "suspend" }),
};

const withMeta: Readonly<Record<string, Action>> = {
  return: newLine,
  enter: newLine,
  b: (state) => moved(state, wordBefore(state)),
  f: (state) => moved(state, wordAfter(state)),
  left: (state) => moved(state, wordBefore(state)),
  right: (state) => moved(state, wordAfter(state)),
  backspace: (state) => cutTo(state, wordBefore(state)),
  d: (state) => cutTo(state, wordAfter(state)),
};

function actionOf(input: Extract<Input, { type: "key" }>): Action | undefined {
  const table = input.ctrl ? withCtrl : input.meta ? withMeta : plain;
  return Object.hasOwn(table, input.name) ? table[input.name] : undefined;
}

/**
 * What one key does to the input. Total: a key without a meaning changes nothing. Node's own line editor is not used: to
 * it every line break of a paste is an Enter, and an input has one line.
 */
export function press(state: EditorState, input: Input): Pressed {
  if (input.type === "end") return { state, effect: "leave" };
  if (input.type === "paste") return { state: withText(state, insert(state, oneLineBreak(input.text))) };
  const action = actionOf(input);
  if (action !== undefined) return action(state);
  const writes = !input.ctrl && !input.meta && input.text !== "" && !/^[\0-\x1f\x7f]/.test(input.text);
  return writes ? { state: withText(state, insert(state, input.text)) } : { state };
}

/** Terminals send the line breaks of a pasted text in three ways. */
function oneLineBreak(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
