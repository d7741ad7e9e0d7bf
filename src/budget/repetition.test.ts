import { expect, test } from "vitest";
import { defaultLimits } from "../config/limits.ts";
import { createTestClock } from "../testing/clock.ts";
import type { ToolCallBlock, ToolResultBlock } from "../types/message.ts";
import { callToolAlias } from "../types/tool.ts";
import { createBudget } from "./budget.ts";
import { createRepetitionGuard } from "./repetition.ts";

const call = (input: string, name = "s__t"): ToolCallBlock => ({ type: "tool_call", id: "c", name, input });
const result = (text: string, isError = false): ToolResultBlock => ({
  type: "tool_result",
  callId: "c",
  content: text === "" ? [] : [{ type: "text", text }],
  isError,
});

/** How many turns in a row brought nothing new, after each turn of one call. */
function inARow(...turns: readonly (readonly [ToolCallBlock, ToolResultBlock])[]): number[] {
  const guard = createRepetitionGuard();
  return turns.map(([made, answered]) => guard.add([made], [answered]));
}

test("the same call with the same result brings nothing new", () => {
  const same = [call("{}"), result("x")] as const;
  expect(inARow(same, same, same)).toEqual([0, 1, 2]);
});

test("tools that were found and called through another one are tools of their own", () => {
  const found = (name: string) => call(JSON.stringify({ name, arguments: {} }), callToolAlias);
  const turns = (...names: string[]) => inARow(...names.map((name) => [found(name), result("")] as const));
  expect(turns("s__a", "s__b", "s__a")).toEqual([0, 0, 1]);
  expect(inARow([found("s__a"), result("")], [call('{"x":1}', "s__a"), result("")])).toEqual([0, 1]);
});

test("another result, other arguments or another tool are new", () => {
  const long = "x".repeat(1_000);
  expect(
    inARow(
      [call("{}"), result("x")],
      [call("{}"), result("y")],
      [call('{"a":1}'), result("y")],
      [call("{}", "s__u"), result("y")],
      [call("{}", "s__u"), result("y", true)],
      [call("{}"), result(long)],
      [call("{}"), result(`${long.slice(1)}y`)],
      [call("{}"), result(long)],
    ),
  ).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
});

test("empty results of one tool are the same, whatever it was asked", () => {
  const empty = [1, 2, 3].map((number) => [call(`{"a":${number}}`), result("(no output)")] as const);
  expect(inARow(...empty, [call("{}"), result("found")])).toEqual([0, 1, 2, 0]);
});

test("one new result among many makes a turn new", () => {
  const guard = createRepetitionGuard();
  const add = (...texts: string[]) =>
    guard.add(
      texts.map(() => call("{}")),
      texts.map((text) => result(text)),
    );
  expect([add("a", "b"), add("a", "b"), add("a", "c"), add("c", "b")]).toEqual([0, 1, 0, 1]);
});

test("the model is told after half of the turns, then the run stops; 0 is no limit", () => {
  const play = (repeatedTurns: number): [string[], unknown] => {
    const budget = createBudget({ ...defaultLimits, repeatedTurns }, createTestClock());
    const notes = [0, 1, 2, 3, 4].flatMap(() => budget.addResults([call("{}")], [result("x")]) ?? []);
    return [notes, budget.check()];
  };
  const [notes, stop] = play(4);
  expect(notes).toEqual([
    expect.stringContaining("After 2 more such turns"),
    expect.stringContaining("After 1 more such turn"),
    expect.stringContaining("The run ends here."),
  ]);
  expect(stop).toEqual({ type: "loop_detected", turns: 4 });
  expect(play(0)).toEqual([[], null]);
});
