import { expect, test } from "vitest";
import { type Output, paintFor } from "../../src/cli/terminal/paint.ts";
import { openTerminal } from "../../src/cli/terminal/terminal.ts";
import { createTestClock } from "../../src/testing/clock.ts";

function recorder(fields: Partial<Output> = {}): { output: Output; written: () => string } {
  const chunks: string[] = [];
  const output: Output = {
    ...fields,
    write: (chunk: unknown) => {
      chunks.push(String(chunk));
      return true;
    },
  };
  return { output, written: () => chunks.join("") };
}

test("colours need a terminal that has them", () => {
  expect(paintFor({ write: () => true, isTTY: true, hasColors: () => true })("red", "x")).toBe(
    "\u001b[31mx\u001b[39m",
  );
  expect(paintFor({ write: () => true, isTTY: true, hasColors: () => false })("red", "x")).toBe("x");
  expect(paintFor({ write: () => true, hasColors: () => true })("red", "x")).toBe("x");
});

test("lines are kept back while a prompt has the screen", () => {
  const { output, written } = recorder();
  const terminal = openTerminal(output);
  terminal.line("before");
  terminal.hold();
  terminal.line("meanwhile");
  expect(written()).toBe("before\n");
  terminal.release();
  terminal.line("after");
  terminal.close();
  expect(written()).toBe("before\nmeanwhile\nafter\n");
});

test("on a terminal the wait is shown after a second, rewritten, and gone before the next line", async () => {
  const clock = createTestClock();
  const { output, written } = recorder({ isTTY: true, columns: 80 });
  const terminal = openTerminal(output, clock);
  terminal.waitFor("the model");
  await clock.advance(900);
  expect(written()).toBe("");
  await clock.advance(1200);
  terminal.line("done");
  terminal.close();
  expect(written()).toBe(`\r… the model (1 s)\r… the model (2 s)\r${" ".repeat(17)}\rdone\n`);
});

test("no progress is written over a prompt", async () => {
  const clock = createTestClock();
  const { output, written } = recorder({ isTTY: true, columns: 80 });
  const terminal = openTerminal(output, clock);
  terminal.waitFor("an answer");
  terminal.hold();
  await clock.advance(10_000);
  expect(written()).toBe("");
  terminal.close();
});

test("without a terminal a long wait is said in whole lines, ever more seldom", async () => {
  const clock = createTestClock();
  const { output, written } = recorder();
  const terminal = openTerminal(output, clock);
  terminal.waitFor("the model");
  await clock.advance(21_000);
  terminal.close();
  expect(written()).toBe("… the model (5 s)\n… the model (10 s)\n… the model (20 s)\n");
});

test("progress within a wait changes what is shown and not since when", async () => {
  const clock = createTestClock();
  const { output, written } = recorder({ isTTY: true, columns: 80 });
  const terminal = openTerminal(output, clock);
  terminal.waitFor("fs/read");
  for (let step = 1; step <= 5; step++) {
    await clock.advance(400);
    terminal.waitFor("fs/read", `: ${step} of 9`);
  }
  terminal.close();
  expect(written()).toContain("… fs/read: 2 of 9 (1 s)\r… fs/read: 4 of 9 (2 s)");
});
