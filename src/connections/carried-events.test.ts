import fc from "fast-check";
import { expect, test } from "vitest";
import { createCarriedAnswers } from "./carried-answers.ts";
import { carryEvents } from "./carried-events.ts";

async function through(pieces: readonly Uint8Array[], carryAll: (message: unknown) => unknown) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(carryEvents(body, 7, { ...createCarriedAnswers(), carryAll })).text();
}

/** The text in pieces that may cut it anywhere, also within a character. */
function cut(text: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const at = [0, ...cuts.map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const line = fc.constantFrom("data: 1", 'data: "é😀"', "data:", ": note", "id: 5", "event: x", "data: {", "");
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

test("events that hold no answer pass as they are, however the stream is cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), cuts, async (lines, at) => {
      const text = `${lines.join("\n")}\n\n`;
      expect(await through(cut(text, at), (message) => message)).toBe(text);
    }),
    { numRuns: 100 },
  );
});

test("an answer is found in its event, however the stream is cut, and the event keeps its id", async () => {
  const answer = { id: null, result: { text: "é😀\n" } };
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      const seen: unknown[] = [];
      const json = JSON.stringify(answer, null, 1).replaceAll("\n", "\ndata: ");
      const text = `: hi\n\nid: 3\nevent: odd\ndata: ${json}\n\ndata: 5\n\n`;
      const carried = await through(cut(text, at), (message) => {
        if (typeof message !== "object") return message;
        seen.push(message);
        return { carrier: 1 };
      });
      expect(seen).toEqual([answer]);
      expect(carried).toBe(': hi\n\nid: 3\ndata: {"carrier":1}\n\ndata: 5\n\n');
    }),
    { numRuns: 50 },
  );
});

test("what was read before a stream broke is handed on, then it breaks", async () => {
  let reads = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      reads += 1;
      if (reads > 1) controller.error(new Error("reset"));
      else controller.enqueue(new TextEncoder().encode('data: {"id":7,"result":{}}'));
    },
  });
  const reader = carryEvents(body, 7, createCarriedAnswers()).getReader();
  const { value } = await reader.read();
  expect(new TextDecoder().decode(value)).toMatch(/^data: .*"id":7.*\n\n$/);
  await expect(reader.read()).rejects.toThrow("reset");
});

test("an answer that is not read any more is let go with its stream", async () => {
  const dropped: unknown[] = [];
  const answers = { ...createCarriedAnswers(), drop: (carrier: unknown) => void dropped.push(carrier) };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: {"id":7,"result":{}}\n\n')),
  });
  const reader = carryEvents(body, 7, answers).getReader();
  await reader.read();
  await reader.cancel();
  expect(dropped).toMatchObject([{ id: 7 }]);
});
