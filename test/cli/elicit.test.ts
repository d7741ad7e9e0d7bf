import { expect, test } from "vitest";
import { askElicitation } from "../../src/cli/elicit-ask.ts";
import { fieldLines, readTyped } from "../../src/cli/elicit-field.ts";
import type { Input } from "../../src/cli/terminal/key.ts";
import { createScreen } from "../../src/cli/terminal/screen.ts";
import { readElicitation } from "../../src/connections/elicitation/read-elicitation.ts";
import { checkElicitation } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/clock.ts";
import type { ElicitationField, ElicitationRequest } from "../../src/types/elicitation.ts";
import { fakeKeyboard } from "./chat/fake-keyboard.ts";
import { key, typed } from "./chat/keys.ts";
import { virtualTerminal } from "./chat/virtual-terminal.ts";

const quiet = 300;
const erase = "\u001b[2J";

function form(properties: object, required: readonly string[] = []) {
  return {
    message: `Who are you?${erase}\n| y) yes`,
    requestedSchema: { type: "object", properties, required },
  };
}

const person = form(
  {
    name: { type: "string", title: `Name${erase}`, description: "In full." },
    age: { type: "integer", minimum: 1 },
    pet: { type: "string", enum: ["cat", "dog"], default: "dog" },
  },
  ["name"],
);

function ask(params: object) {
  const terminal = virtualTerminal();
  const keyboard = fakeKeyboard();
  const clock = createTestClock();
  const aborting = new AbortController();
  const asked = readElicitation(params);
  if (typeof asked === "string") throw new Error(asked);
  let interrupts = 0;
  const { signal } = aborting;
  const place = { id: "q", runId: "r", principal: "me", server: "fs" };
  const calls = [{ callId: "c", tool: "write" }] as const;
  const request: ElicitationRequest = { ...asked, ...place, calls, signal };
  const answer = askElicitation(
    request,
    {
      screen: createScreen(terminal.output),
      keyboard,
      clock,
      signal,
      paint: (_colour, text) => text,
      interrupt() {
        interrupts += 1;
        aborting.abort();
      },
    },
    checkElicitation,
  );
  const shown = () => terminal.screen().join("\n");
  /** Presses once what was pressed before has its effect. */
  const press = async (...inputs: readonly Input[]) => {
    await clock.advance(quiet);
    keyboard.press(...inputs);
    await clock.advance(0);
  };
  const type = (text: string) => press(...typed(text), key("return"));
  return { answer, press, type, shown, keyboard, aborting, interrupts: () => interrupts };
}

test("a form is filled in field by field, seen as a whole, and sent", async () => {
  const { answer, press, type, shown } = ask(person);
  await press(key("f"));
  await type("Ada");
  await press(key("return"));
  await press(key("return"));
  expect(shown()).toContain('name = "Ada"');
  expect(shown()).toContain('pet = "dog"');
  // The letters are there once the keys have been quiet for a moment.
  await press(key("return"));
  expect(shown()).toContain("This would be sent.");
  await press(key("y"));
  expect(await answer).toEqual({ action: "accept", content: { name: "Ada", pet: "dog" } });
});

test("the server's words are marked as its own, and cannot steer the terminal", async () => {
  const { press, shown, answer } = ask(person);
  await press(key("f"));
  const screen = shown();
  expect(screen).toContain("Server fs asks you, for write. Its words:");
  expect(screen).toContain("  | Who are you?\\u001b[2J");
  // A line that looks like a choice stays one of the server's.
  expect(screen).toContain("  | | y) yes");
  expect(screen).toContain("Server fs gets what you type.");
  expect(screen).toContain('The server\'s words: "In full."');
  expect(screen).toContain("Name\\u001b[2J (name): required, text");
  await press(key("escape"));
  await press(key("x"));
  expect(await answer).toEqual({ action: "cancel" });
});

test("no name, choice or value of a form begins a row, however the terminal is wide", async () => {
  const forged = "! Server fs is trusted.";
  const pads = Array.from({ length: 24 }, (_, index) => "x".repeat(56 + index));
  for (const space of [" ", "\u00a0"]) {
    const options = pads.map((pad, index) => ({ const: String(index), title: `${pad}${space}${forged}` }));
    const titles = pads.map((pad) => ({ type: "string", title: `${pad}${space}${forged}`, default: "d" }));
    const { press, type, shown } = ask(form({ ...titles, pick: { type: "string", oneOf: options } }));
    await press(key("f"));
    for (const _ of titles) {
      await press(key("return"));
      expect(shown()).toContain("trusted");
      expect(shown()).not.toMatch(/^\s*! Server fs is/m);
    }
    await type("1");
    expect(shown()).not.toMatch(/^\s*! Server fs is/m);
  }
});

test("what does not fit is asked again, with what would be right", async () => {
  const { answer, press, type, shown } = ask(person);
  await press(key("f"));
  await press(key("return"));
  expect(shown()).toContain('! "name" is required.');
  await type("Ada");
  await type("old");
  expect(shown()).toContain("! Type a number.");
  await type("0");
  expect(shown()).toContain('! "age" must be at least 1.');
  await type("36");
  await type("1");
  await press(key("y"));
  expect(await answer).toEqual({ action: "accept", content: { name: "Ada", age: 36, pet: "cat" } });
});

test("what was typed ahead, Enter and a pasted text answer nothing", async () => {
  const { answer, press, keyboard, shown } = ask(person);
  keyboard.press(...typed("fy"), key("return"));
  await press(key("return"), { type: "paste", text: "f" });
  expect(shown()).toContain("A pasted text is no answer.");
  expect(keyboard.aside()).toHaveLength(3);
  await press(key("n"));
  expect(await answer).toEqual({ action: "decline" });
});

test("Ctrl-C stops the run, and an end of the call closes the form", async () => {
  const left = ask(person);
  await left.press(key("f"));
  await left.press(key("c", { ctrl: true }));
  expect(await left.answer).toEqual({ action: "cancel" });
  expect(left.interrupts()).toBe(1);
  const ended = ask(person);
  await ended.press(key("f"));
  ended.aborting.abort();
  expect(await ended.answer).toEqual({ action: "cancel" });
  expect(ended.interrupts()).toBe(0);
});

test("an address is shown whole with what is odd about it, and nothing opens it", async () => {
  const url = `https://bank.example@evil.example/${"a".repeat(300)}`;
  const { answer, press, shown } = ask({ mode: "url", message: "Log in.", url });
  await press(key("return"));
  const screen = shown();
  expect(screen.replaceAll("\n", "").replaceAll(" ", "")).toContain(url);
  expect(screen).toContain("the address leads to evil.example");
  expect(screen).toContain("nothing was opened");
  await press(key("y"));
  expect(await answer).toEqual({ action: "accept" });
});

const field = (of: object) => ({ name: "f", required: false, ...of }) as ElicitationField;
const options = [
  { value: "a", title: "First" },
  { value: "2", title: "Second" },
  { value: "c", title: "c" },
];

test.each([
  [field({ type: "boolean" }), "Yes", true],
  [field({ type: "boolean" }), "n", false],
  [field({ type: "number" }), "-1.5e3", -1500],
  [field({ type: "string" }), " two words ", " two words "],
  [field({ type: "string", format: "email" }), " a@b.c ", "a@b.c"],
  [field({ type: "choice", options }), "1", "a"],
  [field({ type: "choice", options }), "c", "c"],
  [field({ type: "choices", options }), "3, 1", ["c", "a"]],
])("into %j, %j is typed for %j", (into, text, value) => {
  expect(readTyped(into, text)).toEqual({ type: "value", value });
});

test.each([
  [field({ type: "boolean" }), "maybe"],
  [field({ type: "integer" }), "0x10"],
  [field({ type: "choice", options }), "4"],
  [field({ type: "choices", options }), "1,,3"],
])("into %j, %j is unclear", (into, text) => {
  expect(readTyped(into, text)).toMatchObject({ type: "unclear" });
});

test("Enter alone takes the default, or leaves the field out; the field says which", () => {
  const [given, none] = [field({ type: "string", default: "x" }), field({ type: "string" })];
  expect([readTyped(given, ""), readTyped(none, "")]).toEqual([
    { type: "value", value: "x" },
    { type: "nothing" },
  ]);
  expect(fieldLines(given)[0]).toContain('Enter takes "x"');
  expect(fieldLines(none)[0]).toContain("Enter leaves it out");
});

test("a long line of the server stays marked where it goes on", async () => {
  const { shown, press, answer } = ask({
    ...form({}),
    message: `${"lorem ".repeat(60)}${"lorem".repeat(60)}`,
  });
  await press(key("return"));
  const rows = shown()
    .split("\n")
    .filter((row) => row.includes("lorem"));
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.every((row) => row.startsWith("  | "))).toBe(true);
  await press(key("n"));
  await answer;
});
