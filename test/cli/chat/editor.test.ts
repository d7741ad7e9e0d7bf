import fc from "fast-check";
import { expect, test } from "vitest";
import { type EditorState, newEditor, press } from "../../../src/cli/chat/editor/editor.ts";
import type { Input } from "../../../src/cli/terminal/key.ts";
import { key, typed } from "./keys.ts";

function after(inputs: readonly Input[], state: EditorState = newEditor([])): EditorState {
  return inputs.reduce((now, input) => press(now, input).state, state);
}

test("what is typed is the text, and Enter sends it", () => {
  const state = after(typed("hé 中文 😀"));
  expect(state.text).toBe("hé 中文 😀");
  expect(press(state, key("return")).effect).toBe("submit");
});

test("a line that ends in a backslash, Alt-Enter and Ctrl-J go on below", () => {
  const state = after([...typed("a\\"), key("return"), ...typed("b"), key("return", { meta: true })]);
  expect(after([...typed("c"), key("enter"), ...typed("d")], state).text).toBe("a\nb\nc\nd");
});

test("two backslashes at the end are text", () => {
  expect(press(after(typed("a\\\\")), key("return")).effect).toBe("submit");
});

test("a pasted text of many lines sends nothing and keeps its lines", () => {
  const { state, effect } = press(newEditor([]), { type: "paste", text: "a\r\nb\rc\nd" });
  expect(effect).toBeUndefined();
  expect(state.text).toBe("a\nb\nc\nd");
});

test("Backspace takes a whole emoji and a letter with its marks", () => {
  const state = after([...typed("a👨‍👩‍👧"), key("backspace")]);
  expect(state.text).toBe("a");
  expect(after([...typed("xe\u0301"), key("backspace")]).text).toBe("x");
});

test("words and lines can be cut and put back", () => {
  const state = after([...typed("one two three"), key("w", { ctrl: true })]);
  expect(state.text).toBe("one two ");
  expect(after([key("y", { ctrl: true }), key("a", { ctrl: true })], state)).toMatchObject({
    text: "one two three",
    cursor: 0,
  });
  expect(after([key("u", { ctrl: true })], state).text).toBe("");
});

test("Up recalls earlier inputs and Down brings the draft back", () => {
  const state = after([...typed("new"), key("up")], newEditor(["first", "second"]));
  expect(state.text).toBe("second");
  expect(after([key("up"), key("up")], state).text).toBe("first");
  expect(after([key("down")], state).text).toBe("new");
});

test("Up in a text of several lines moves the cursor before it recalls", () => {
  const state = after([...typed("ab"), key("enter"), ...typed("cd"), key("up")], newEditor(["old"]));
  expect(state).toMatchObject({ text: "ab\ncd", cursor: 2 });
  expect(after([key("up")], state).text).toBe("old");
});

test("Ctrl-D deletes in a text and leaves an empty one; Ctrl-C interrupts", () => {
  const state = after([...typed("ab"), key("home"), key("d", { ctrl: true })]);
  expect(state.text).toBe("b");
  expect(press(newEditor([]), key("d", { ctrl: true })).effect).toBe("leave");
  expect(press(state, key("c", { ctrl: true })).effect).toBe("interrupt");
});

test("control characters are never typed into a text", () => {
  const escapeKey: Input = { type: "key", name: "escape", ctrl: false, meta: false, text: "\u001b" };
  expect(after([escapeKey]).text).toBe("");
});

const names = [
  "left",
  "right",
  "up",
  "down",
  "home",
  "end",
  "backspace",
  "delete",
  "return",
  "enter",
  "w",
  "k",
];
const anyInput: fc.Arbitrary<Input> = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }).map((text) => typed(text)[0] ?? key("left")),
  fc
    .record({ name: fc.constantFrom(...names), ctrl: fc.boolean(), meta: fc.boolean() })
    .map((shape) => key(shape.name, shape)),
  fc.string({ unit: "binary", maxLength: 20 }).map((text): Input => ({ type: "paste", text })),
);

test("whatever is pressed, the cursor stays inside of the text", () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
      const state = after(inputs, newEditor(["an earlier\ninput"]));
      expect(state.cursor).toBeGreaterThanOrEqual(0);
      expect(state.cursor).toBeLessThanOrEqual(state.text.length);
    }),
    { numRuns: 100 },
  );
});
