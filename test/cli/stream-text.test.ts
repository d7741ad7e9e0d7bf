import fc from "fast-check";
import { expect, test } from "vitest";
import { followRun } from "../../src/cli/show/follow-run.ts";
import { createStreamText, type StreamText } from "../../src/cli/show/stream-text.ts";
import { openTerminal } from "../../src/cli/terminal/terminal.ts";
import type { RunEvent } from "../../src/types/events.ts";
import { readableText } from "../../src/util/readable-text.ts";

const paint = (_colour: string, text: string): string => text;

function recorded(): { readonly stream: StreamText; readonly pieces: string[] } {
  const pieces: string[] = [];
  return { stream: createStreamText({ write: (text) => pieces.push(text) }, paint), pieces };
}

test("text is shown as it comes, and its last line is ended", () => {
  const { stream, pieces } = recorded();
  stream.write("Two fi");
  expect(pieces.join("")).toBe("Two fi");
  stream.write("les.\nDone");
  expect(stream.endTurn()).toBe(true);
  expect(pieces.join("")).toBe("Two files.\nDone\n");
});

test("a line that is ended already is not ended twice, and a turn without text shows nothing", () => {
  const { stream, pieces } = recorded();
  stream.write("Done.\n");
  stream.breakLine();
  stream.breakLine();
  expect(stream.endTurn()).toBe(true);
  expect(stream.endTurn()).toBe(false);
  expect(pieces.join("")).toBe("Done.\n");
});

test("what was shown of a revoked turn is marked as void, and the text begins anew", () => {
  const { stream, pieces } = recorded();
  stream.write("The answer is 4");
  stream.revoke();
  stream.write("\n\nThe answer is 5.");
  expect(stream.endTurn()).toBe(true);
  expect(pieces.join("").split("\n")).toEqual([
    "The answer is 4",
    "⟲ The answer so far is void: it was interrupted.",
    "The answer is 5.",
    "",
  ]);
});

test("a joiner at the start of a turn joins nothing of the turn before it", () => {
  const { stream, pieces } = recorded();
  stream.write("👩");
  stream.endTurn();
  stream.write("\u200d💻");
  stream.endTurn();
  expect(pieces.join("")).toBe("👩\n\\u200d💻\n");
});

test("a revoked turn of which nothing was shown needs no mark", () => {
  const { stream, pieces } = recorded();
  stream.revoke();
  expect(stream.endTurn()).toBe(false);
  expect(pieces).toEqual([]);
});

test("however a text is cut into pieces, what is shown is the same, escaped and whole", () => {
  const joined = fc.constantFrom("👩🏽\u200d💻", "می\u200cخواهم", "\u200d", "\u200c", "👩");
  const body = fc.array(fc.oneof(fc.string({ unit: "binary", maxLength: 10 }), joined), { maxLength: 6 });
  const text = body.map((parts) => `x${parts.join("")}`);
  const cuts = fc.array(fc.nat(40), { maxLength: 6 });
  fc.assert(
    fc.property(text, cuts, (whole, at) => {
      const { stream, pieces } = recorded();
      const sorted = [0, ...at.map((cut) => Math.min(cut, whole.length)), whole.length].sort((a, b) => a - b);
      for (const [index, cut] of sorted.entries()) stream.write(whole.slice(sorted[index - 1] ?? 0, cut));
      stream.endTurn();
      const shown = readableText(whole);
      expect(pieces.join("")).toBe(shown.endsWith("\n") ? shown : `${shown}\n`);
      // Nothing is split inside an escape or a pair.
      for (const piece of pieces) expect(piece).not.toMatch(/[\ud800-\udbff]$|^[\udc00-\udfff]/);
    }),
    { numRuns: 300 },
  );
});

const usage = { requests: 1, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const completed: RunEvent = {
  type: "message_completed",
  turn: 1,
  message: { role: "assistant", content: [{ type: "text", text: "hi" }] },
  stopReason: "end_turn",
  usage,
};

async function* events(...list: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* list;
}

test("a line about what happens never stands in the middle of the answer", async () => {
  const screen: string[] = [];
  const output = { write: (text: unknown) => screen.push(String(text)) > 0 };
  const terminal = openTerminal(output);
  const stream = createStreamText(output, paint);
  const warning: RunEvent = { type: "warning", code: "x", text: "slow" };
  const run = events({ type: "text_delta", turn: 1, text: "Let me see" }, warning, completed);
  expect(await followRun(run, terminal, stream)).toEqual({ missingRules: [], answerShown: true });
  expect(screen.join("")).toBe("Let me see\n! slow\n");
  terminal.close();
});

test("an answer that came without pieces, or was revoked, is still to be shown", async () => {
  const terminal = openTerminal({ write: () => true });
  const stream = createStreamText({ write: () => true }, paint);
  expect((await followRun(events(completed), terminal, stream)).answerShown).toBe(false);
  const revoked: RunEvent = { type: "turn_revoked", turn: 1, attempt: 1, reason: "cut", retryInMs: 0 };
  const run = events({ type: "text_delta", turn: 1, text: "a" }, revoked, completed);
  expect((await followRun(run, terminal, stream)).answerShown).toBe(false);
  terminal.close();
});
