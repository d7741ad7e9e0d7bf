import { expect, test } from "vitest";
import { playScript, type Wire } from "./play-script.ts";
import { scriptOfCase } from "./script-of-case.ts";

/** A wire that keeps what is sent. */
function keepingWire(): { wire: Wire; sent: string[]; pieces: number[] } {
  const sent: string[] = [];
  const pieces: number[] = [];
  const keep = async (text: string) => void sent.push(text);
  const wire: Wire = {
    message: keep,
    answer: keep,
    bytes: async (bytes) => void pieces.push(...bytes, -1),
    ask: async () => ({}),
    stderr: (text) => sent.push(text),
    stderrSync: () => {},
    environment: () => undefined,
    suffer: async () => {},
    exit: (code) => sent.push(`exit ${code}`),
  };
  return { wire, sent, pieces };
}

const request = { id: 1, method: "tools/call", params: {} };
const play = (step: object) => playScript(scriptOfCase({ type: "server", script: { "tools/call": step } }));

test("a chunked answer is sent in pieces of the given size, across characters", async () => {
  const { wire, pieces } = keepingWire();
  const result = { text: "☕" };
  await play({ rpcResultChunked: { result, chunkBytes: 1 } })(request, wire);
  const bytes = pieces.filter((byte) => byte !== -1);
  expect(pieces.filter((byte) => byte === -1).length).toBe(bytes.length);
  const text = Buffer.from(bytes).toString("utf8");
  expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: 1, result });
  expect(text.endsWith("\n")).toBe(true);
});

test("the effects of a step come in their order, and an exit stands for an answer", async () => {
  const { wire, sent } = keepingWire();
  const step = { stderr: ["one", "two"], notify: { method: "notifications/x" }, exit: 3 };
  expect(await play(step)(request, wire)).toBe(true);
  expect(sent).toEqual(["one", "two", '{"jsonrpc":"2.0","method":"notifications/x"}', "exit 3"]);
});

test("a step that hangs sends nothing and says that no answer will come", async () => {
  const { wire, sent } = keepingWire();
  expect(await play({ hang: true, result: {} })(request, wire)).toBe(false);
  expect(sent).toEqual([]);
});
