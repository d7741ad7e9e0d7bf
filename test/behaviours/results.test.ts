import { expect, test } from "vitest";
import { type FakeTool, fakeServer, textTool } from "../../src/testing/index.ts";
import { runScript, textOf } from "../support/run-host.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function answering(result: object, definition: object = {}): FakeTool {
  return { definition: { name: "t", inputSchema: { type: "object" }, ...definition }, run: () => result };
}

async function resultOf(result: object, definition: object = {}) {
  const server = fakeServer([answering(result, definition)]);
  const { results } = await runScript([{ calls: [{ name: "s__t" }] }, { text: "done" }], {
    servers: { s: server },
  });
  return results(0)[0];
}

test("text and image results are mapped", async () => {
  const content = [
    { type: "text", text: "a picture:" },
    { type: "image", data: png, mimeType: "image/jpeg" },
  ];
  const block = await resultOf({ content });
  expect(block).toMatchObject({ isError: false });
  expect(block?.content).toEqual([
    { type: "text", text: "a picture:" },
    { type: "image", mediaType: "image/png", data: png },
  ]);
});

test("audio, resource_link and resource are described, and no base64 is sent as text", async () => {
  const sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEA".repeat(40);
  const content = [
    { type: "audio", data: sound, mimeType: "audio/wav" },
    { type: "resource_link", uri: "file:///notes.md", name: "notes", mimeType: "text/markdown", size: 12 },
    { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "inside" } },
  ];
  const text = textOf(await resultOf({ content }));
  expect(text).toContain("audio/wav");
  expect(text).toContain("file:///notes.md");
  expect(text).toContain("notes");
  expect(text).toContain("inside");
  expect(text).not.toContain(sound.slice(0, 64));
});

const outputSchema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
const prose = "many words about the total, ".repeat(100);
const wordy = [{ type: "text", text: prose }];

test("structured content is preferred when the tool's outputSchema accepts it", async () => {
  const accepted = textOf(
    await resultOf({ content: wordy, structuredContent: { total: 3 } }, { outputSchema }),
  );
  expect(accepted).toContain('{"total":3}');
  expect(accepted).not.toContain(prose);
});

test("structured content that its outputSchema refuses hides nothing of the text", async () => {
  const refused = await resultOf({ content: wordy, structuredContent: { total: "three" } }, { outputSchema });
  expect(refused?.isError).toBe(false);
  expect(textOf(refused)).toContain(prose);
  expect(textOf(refused)).toMatch(/not what the tool's outputSchema promises.*total/);
});

test("an error of a tool reaches the model as an error with the tool's words, and the host does not repeat the call", async () => {
  const server = fakeServer([
    {
      definition: { name: "order", inputSchema: { type: "object" }, annotations: { idempotentHint: true } },
      run: (args) =>
        args.quantity === 1
          ? { content: [{ type: "text", text: "ordered" }] }
          : { isError: true, content: [{ type: "text", text: "quantity must be 1" }] },
    },
  ]);
  const steps = [
    { calls: [{ name: "s__order", input: { quantity: -1 } }] },
    { calls: [{ name: "s__order", input: { quantity: 1 } }] },
    { text: "done" },
  ];
  const { results, result } = await runScript(steps, {
    servers: { s: server },
    policy: { trust: ["s"], rules: ["allow */*"] },
  });
  expect(results(0)).toMatchObject([
    { isError: true, content: [{ type: "text", text: "quantity must be 1" }] },
  ]);
  expect(results(1)).toMatchObject([{ isError: false, content: [{ type: "text", text: "ordered" }] }]);
  expect(server.calls).toHaveLength(2);
  expect(result.stop).toEqual({ type: "answered" });
});

test("a big output is cut at the budget, says so, and stays readable through the built-in paging tool", async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index} of the long log`);
  const server = fakeServer([textTool("log", () => lines.join("\n"))]);
  const { results, model } = await runScript(
    [
      { calls: [{ name: "s__log" }] },
      (request) => {
        const last = request.messages.at(-1)?.content[0];
        const shown = last?.type === "tool_result" ? textOf(last) : "";
        const id = /"id":"(?<id>[^"]+)"/.exec(shown)?.groups?.id ?? "none";
        return { calls: [{ name: "drawbridge__read_output", input: { id, search: "line 2500 of" } }] };
      },
      { text: "done" },
    ],
    { servers: { s: server }, limits: { outputTokensPerResult: 500 } },
  );
  const cut = textOf(results(0)[0]);
  expect(cut.length).toBeLessThan(500 * 4 + 1_000);
  expect(cut).toContain("line 0 of");
  expect(cut).toContain("line 4999 of");
  expect(cut).not.toContain("line 2500 of");
  expect(cut).toMatch(/\d bytes, [\d,]+ lines left out/);
  expect(cut).toContain("drawbridge__read_output");
  expect(textOf(results(1)[0])).toContain("line 2500 of the long log");
  model.assertDone();
});
