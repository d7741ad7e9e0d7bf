import { expect, test } from "vitest";
import { followTurn } from "../../../src/cli/chat/turn/run-turn.ts";
import { createScreen } from "../../../src/cli/terminal/screen.ts";
import { createHost } from "../../../src/host.ts";
import { createTestClock, fakeServer, scriptedModel, textTool } from "../../../src/testing/index.ts";
import { fakeKeyboard } from "./fake-keyboard.ts";
import { key, typed } from "./keys.ts";
import { virtualTerminal } from "./virtual-terminal.ts";

const ctrlC = key("c", { ctrl: true });

/** A run that calls a tool which does not answer until it is cancelled. */
function startHanging() {
  const terminal = virtualTerminal();
  const keyboard = fakeKeyboard();
  const clock = createTestClock();
  const stopping = new AbortController();
  const left: string[] = [];
  const hang = textTool("hang", (_args, { signal, progress }) => {
    for (let done = 1; done <= 90; done += 1) progress(done, 1000);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("late")));
  });
  const host = createHost({
    servers: { slow: fakeServer([hang]).config },
    model: scriptedModel([{ text: "I try.", calls: [{ name: "slow__hang" }] }]),
    policy: { rules: ["allow slow/*"] },
    state: false,
    audit: false,
  });
  const run = host.conversation().run("go", { signal: stopping.signal });
  const followed = followTurn(run, {
    screen: createScreen(terminal.output),
    keyboard,
    clock,
    paint: (_colour, text) => text,
    told: { servers: new Map(), warnings: new Set() },
    signal: stopping.signal,
    isAsking: () => false,
    onEvent: () => {},
    stop: () => stopping.abort(),
    leave: () => left.push("leave"),
  });
  return { terminal, keyboard, clock, host, followed, left };
}

test("a running call is one line that is written over, and Ctrl-C stops the run", async () => {
  const { terminal, keyboard, clock, host, followed, left } = startHanging();
  await using _host = host;
  await expect.poll(() => terminal.screen().at(-1), { timeout: 10_000 }).toMatch(/^… slow\/hang · 0 s/);
  // The progress of a call is shown with the next tick, however much of it came.
  await expect
    .poll(async () => {
      await clock.advance(250);
      return terminal.screen().at(-1);
    })
    .toMatch(/90 of 1000/);
  keyboard.press(...typed("ahead"), ctrlC);
  const { result } = await followed;
  expect(result.stop).toEqual({ type: "aborted" });
  expect(result.messages.at(-1)?.content[0]).toMatchObject({ type: "tool_result", isError: true });
  expect(terminal.screen()[1]).toBe("I try.");
  expect(terminal.screen().filter((row) => row.includes("slow/hang"))).toEqual([
    expect.stringMatching(/^✗ slow\/hang · /),
  ]);
  expect(keyboard.aside()).toEqual(typed("ahead"));
  expect(left).toEqual([]);
});

test("a second Ctrl-C before the run has ended leaves the chat", async () => {
  const { terminal, keyboard, host, followed, left } = startHanging();
  await using _host = host;
  await expect.poll(() => terminal.screen().at(-1), { timeout: 10_000 }).toMatch(/^… slow\/hang/);
  keyboard.press(ctrlC, ctrlC);
  expect(left).toEqual(["leave"]);
  await followed;
});
