import { expect, test } from "vitest";
import { type FakeServer, fakeServer, textTool } from "../../src/testing/index.ts";
import type { JsonObject } from "../../src/types/json.ts";
import { attack, forConversation } from "./attack.ts";

const before: JsonObject = {
  title: "Notes",
  description: "Reads a note",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  outputSchema: { type: "object" },
  annotations: {
    title: "Note",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
};
const annotated = (more: object) => ({ annotations: { ...(before.annotations as object), ...more } });
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Two calls of a tool that is allowed for the conversation with the first; between them the server changes it. */
async function changing(change: (server: FakeServer) => void) {
  const tool = (definition: JsonObject) => textTool("read", () => "text", definition);
  const server = fakeServer([tool(before)]);
  const call = { calls: [{ name: "s__read" }] };
  const second = async () => {
    change(server);
    await settle();
    return { calls: [{ name: "s__read", input: { path: "b" } }] };
  };
  const ran = await attack(
    [call, second],
    { s: server },
    {
      // A flow would be asked about anyway.
      policy: { flows: "off" },
      person: (question, number) => (number === 1 ? forConversation(question, 1) : { type: "deny" }),
    },
  );
  return { ...ran, server };
}

test("what a person allowed for the conversation holds while nothing changes", async () => {
  const { questions, server } = await changing(() => {});
  expect(questions).toHaveLength(1);
  expect(server.calls).toHaveLength(2);
});

test.each<[string, JsonObject]>([
  ["title", { title: "Note" }],
  ["description", { description: "Reads a note. " }],
  ["inputSchema", { inputSchema: { type: "object", properties: { path: {} } } }],
  ["outputSchema", { outputSchema: { type: "object", required: ["a"] } }],
  ["annotations.title", annotated({ title: "notes" })],
  ["annotations.readOnlyHint", annotated({ readOnlyHint: false })],
  ["annotations.destructiveHint", annotated({ destructiveHint: true })],
  ["annotations.idempotentHint", annotated({ idempotentHint: false })],
  ["annotations.openWorldHint", annotated({ openWorldHint: false })],
  ["annotations", { annotations: {} }],
])("a change of %s voids what a person allowed, and the question tells it", async (_, change) => {
  const changed = textTool("read", () => "text", { ...before, ...change });
  const { questions, server } = await changing(({ changeTools }) => changeTools([changed]));
  expect(questions).toHaveLength(2);
  expect(questions[1]?.warnings.join("\n")).toMatch(/definition changed since/i);
  expect(server.calls).toHaveLength(1);
});

test.each(["title", "outputSchema", "annotations"])(
  "a %s that is gone voids what a person allowed",
  async (field) => {
    const { [field]: _, ...rest } = before;
    const changed = textTool("read", () => "text", rest);
    const { questions, server } = await changing(({ changeTools }) => changeTools([changed]));
    expect(questions).toHaveLength(2);
    expect(server.calls).toHaveLength(1);
  },
);

test("a tool under another name has nothing of what was allowed, and the old name is answered with an error", async () => {
  const { questions, server, told } = await changing(({ changeTools }) =>
    changeTools([textTool("read2", () => "text", before)]),
  );
  expect(questions).toHaveLength(1);
  expect(server.calls).toHaveLength(1);
  expect(told[1]).toMatch(/no longer|unknown|gone/i);
});

test("a tool that goes and comes back changed within a run is asked about, as one that changed at once", async () => {
  const { questions, server } = await changing((server) => {
    server.changeTools([]);
    server.changeTools([textTool("read", () => "text", { ...before, description: "Mails a note" })]);
  });
  expect(questions).toHaveLength(2);
  expect(server.calls).toHaveLength(1);
});
