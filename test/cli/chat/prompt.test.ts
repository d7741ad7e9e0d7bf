import { expect, test } from "vitest";
import { type Prompted, readPrompt } from "../../../src/cli/chat/prompt.ts";
import { createScreen } from "../../../src/cli/terminal/screen.ts";
import { fakeKeyboard } from "./fake-keyboard.ts";
import { key, typed } from "./keys.ts";
import { virtualTerminal } from "./virtual-terminal.ts";

function open(text = "") {
  const terminal = virtualTerminal(40);
  const keyboard = fakeKeyboard();
  const aborting = new AbortController();
  const start = (): Promise<Prompted> =>
    readPrompt({
      screen: createScreen(terminal.output),
      keyboard,
      paint: (_colour, shown) => shown,
      history: ["earlier"],
      text,
      signal: aborting.signal,
      sources: { commands: ["/save", "/servers"], servers: [], aliases: [], files: async () => [] },
    });
  return { terminal, keyboard, aborting, start };
}

const ctrlC = key("c", { ctrl: true });

test("what is sent stays on the screen above the next line", async () => {
  const { terminal, keyboard, start } = open();
  const prompted = start();
  keyboard.press(...typed("two"), key("enter"), ...typed("lines"), key("return"));
  expect(await prompted).toEqual({ type: "text", text: "two\nlines" });
  expect(terminal.screen()).toEqual(["> two", "  lines"]);
  expect(terminal.cursor()).toEqual({ row: 2, column: 0 });
});

test("keys typed ahead are the beginning of the input, and Enter among them sends it", async () => {
  const { keyboard, start } = open();
  keyboard.press(...typed("ahead"), key("return"), ...typed("more"));
  expect(await start()).toEqual({ type: "text", text: "ahead" });
  expect(keyboard.aside()).toEqual(typed("more"));
});

test("Ctrl-C empties the input first; only twice at an empty one it leaves", async () => {
  const { terminal, keyboard, start } = open("text");
  const prompted = start();
  keyboard.press(ctrlC);
  expect(terminal.screen()).toEqual(["> ", "Press Ctrl-C again to leave, or Ctrl-D."]);
  keyboard.press(...typed("x"), ctrlC);
  keyboard.press(ctrlC);
  expect(await prompted).toEqual({ type: "leave", interrupted: true });
});

test("Enter at an empty input does nothing, Ctrl-D leaves", async () => {
  const { keyboard, start } = open();
  const prompted = start();
  keyboard.press(key("return"), key("d", { ctrl: true }));
  expect(await prompted).toEqual({ type: "leave", interrupted: false });
});

test("Tab shows what there is below the input, until the next key", async () => {
  const { terminal, keyboard, start } = open("/s");
  const prompted = start();
  keyboard.press(key("tab"));
  await expect.poll(() => terminal.screen(), { timeout: 10_000 }).toEqual(["> /s", "/save     /servers"]);
  keyboard.press(...typed("a"), key("tab"));
  await expect
    .poll(() => terminal.screen(), { timeout: 10_000 })
    .toEqual([expect.stringMatching(/^> \/save ?$/)]);
  keyboard.press(key("return"));
  expect(await prompted).toEqual({ type: "text", text: "/save " });
});

test("a file that is named in a pasted text is a plain word of it", async () => {
  const { keyboard, start } = open();
  const prompted = start();
  keyboard.press({ type: "paste", text: "look at @secret\nand more" }, key("return"));
  expect(await prompted).toEqual({ type: "text", text: "look at \\@secret\nand more" });
});

test("a signal ends the prompt and takes the input off the screen", async () => {
  const { terminal, aborting, start } = open();
  const prompted = start();
  aborting.abort();
  expect(await prompted).toEqual({ type: "leave", interrupted: true });
  expect(terminal.screen()).toEqual([""]);
});

test("of a very long message the beginning stays on the screen", async () => {
  const { terminal, keyboard, start } = open();
  const prompted = start();
  keyboard.press({ type: "paste", text: "line\n".repeat(1000) }, key("return"));
  await prompted;
  expect(terminal.screen()).toHaveLength(12);
  expect(terminal.screen().at(-1)).toBe("  … 5,000 characters in all");
});

test("a question stands in front of its answer, takes an empty one, and Ctrl-C leaves it at once", async () => {
  const ask = (complete: (typed: string) => Promise<readonly string[]>) => {
    const terminal = virtualTerminal(40);
    const keyboard = fakeKeyboard();
    const answered = readPrompt({
      screen: createScreen(terminal.output),
      keyboard,
      paint: (_colour, shown) => shown,
      history: [],
      text: "",
      signal: new AbortController().signal,
      sources: { commands: ["/save"], servers: [], aliases: [], files: async () => [] },
      question: { label: "city", complete },
    });
    return { terminal, keyboard, answered };
  };
  const filled = ask(async () => ["New York", "Parma", "Newark"]);
  filled.keyboard.press(...typed("New"), key("tab"));
  await expect
    .poll(() => filled.terminal.screen(), { timeout: 10_000 })
    .toEqual(["city> New", "New York  Newark"]);
  filled.keyboard.press(...typed(" "), key("tab"));
  await expect
    .poll(() => filled.terminal.screen(), { timeout: 10_000 })
    .toEqual([expect.stringMatching(/^city> New York ?$/)]);
  filled.keyboard.press(key("return"));
  expect(await filled.answered).toEqual({ type: "text", text: "New York " });
  const empty = ask(async () => []);
  empty.keyboard.press(key("return"));
  expect(await empty.answered).toEqual({ type: "text", text: "" });
  const left = ask(async () => []);
  left.keyboard.press(ctrlC);
  expect(await left.answered).toEqual({ type: "leave", interrupted: true });
});
