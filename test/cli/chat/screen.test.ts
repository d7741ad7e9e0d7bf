import { expect, test } from "vitest";
import { createScreen } from "../../../src/cli/terminal/screen.ts";
import { virtualTerminal } from "./virtual-terminal.ts";

test("lines go above the area, and the area stays at the end", () => {
  const terminal = virtualTerminal();
  const screen = createScreen(terminal.output);
  screen.area(["> inp", "  ut"], { row: 0, column: 3 });
  screen.line("one");
  screen.line("two");
  expect(terminal.screen()).toEqual(["one", "two", "> inp", "  ut"]);
  expect(terminal.cursor()).toEqual({ row: 2, column: 3 });
});

test("a smaller area leaves nothing of the larger one", () => {
  const terminal = virtualTerminal();
  const screen = createScreen(terminal.output);
  screen.area(["a long row", "another"]);
  screen.area(["b"]);
  expect(terminal.screen()).toEqual(["b"]);
  screen.area([]);
  expect(terminal.screen()).toEqual([""]);
});

test("the area waits while a streamed line is not over, and a line ends it", () => {
  const terminal = virtualTerminal();
  const screen = createScreen(terminal.output);
  screen.area(["working"]);
  screen.stream("Hel");
  screen.stream("lo");
  expect(terminal.screen()).toEqual(["Hello"]);
  screen.line("next");
  expect(terminal.screen()).toEqual(["Hello", "next", "working"]);
  screen.stream("end\n");
  expect(terminal.screen()).toEqual(["Hello", "next", "end", "working"]);
});

test("an area that a narrower terminal wrapped is taken off whole", () => {
  const terminal = virtualTerminal(40);
  const screen = createScreen(terminal.output);
  terminal.output.columns = 20;
  screen.line("before");
  screen.area(["x".repeat(35), "y"]);
  screen.area(["z"]);
  expect(terminal.screen()).toEqual(["before", "z"]);
});
