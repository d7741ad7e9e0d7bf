import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Input } from "../../../src/cli/terminal/key.ts";
import { type KeyboardInput, openKeyboard } from "../../../src/cli/terminal/keyboard.ts";
import { key, typed } from "./keys.ts";

function open() {
  const stream = new PassThrough();
  const modes: boolean[] = [];
  const input = Object.assign(stream, {
    isTTY: true as const,
    setRawMode(mode: boolean) {
      modes.push(mode);
      return input;
    },
  }) as unknown as KeyboardInput;
  let written = "";
  const output = new PassThrough();
  output.on("data", (chunk: Buffer) => {
    written += chunk.toString();
  });
  const keyboard = openKeyboard(input, output);
  const heard: Input[] = [];
  return { stream, modes, keyboard, heard, written: () => written };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test("a key is heard by the newest listener, and put aside when there is none", async () => {
  const { stream, keyboard } = open();
  const first: Input[] = [];
  const second: Input[] = [];
  stream.write("a");
  await soon();
  const stopFirst = keyboard.listen((input) => first.push(input));
  const stopSecond = keyboard.listen((input) => second.push(input));
  stream.write("b");
  await soon();
  stopSecond();
  stream.write("\u0003");
  await soon();
  stopFirst();
  expect([keyboard.takeKept(), second]).toEqual([typed("a"), typed("b")]);
  expect(first).toEqual([{ ...key("c", { ctrl: true }), text: "\u0003" }]);
  keyboard.close();
});

test("a paste is one input, whatever is in it", async () => {
  const { stream, keyboard, heard } = open();
  keyboard.listen((input) => heard.push(input));
  stream.write("\u001b[200~one\rtwo\t中😀\u001b[201~x");
  await soon();
  expect(heard).toEqual([{ type: "paste", text: "one\rtwo\t中😀" }, ...typed("x")]);
  keyboard.close();
});

test("Ctrl-C is heard also in a paste that never ends", async () => {
  const { stream, keyboard, heard } = open();
  keyboard.listen((input) => heard.push(input));
  stream.write("\u001b[200~never ends\u0003");
  await soon();
  expect(heard.map((input) => input.type === "key" && input.ctrl && input.name)).toEqual(["c"]);
  keyboard.close();
});

test("closing gives the terminal back as it was, once", () => {
  const { modes, keyboard, written } = open();
  keyboard.close();
  keyboard.close();
  expect(modes).toEqual([true, false]);
  expect(written()).toBe("\u001b[?2004h\u001b[?2004l");
});

test("the end of the process gives the terminal back", () => {
  const { modes, keyboard } = open();
  // Only the newest listener: the others are the runner's own.
  process.listeners("exit").at(-1)?.(0);
  expect(modes).toEqual([true, false]);
  keyboard.close();
});

test("the end of the input is heard", async () => {
  const { stream, keyboard, heard } = open();
  keyboard.listen((input) => heard.push(input));
  stream.end();
  await soon();
  await soon();
  expect(heard).toEqual([{ type: "end" }]);
  keyboard.close();
});
