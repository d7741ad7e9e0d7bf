import fc from "fast-check";
import { expect, test } from "vitest";
import { ingestTool } from "./ingest-tools.ts";

function schemaOf(inputSchema: unknown): unknown {
  const ingested = ingestTool({ name: "t", inputSchema }, 0);
  return ingested.type === "tool" ? ingested.tool.inputSchema : ingested.reason;
}

test("a schema that lacks what MCP asks for is completed", () => {
  expect(schemaOf(undefined)).toEqual({ type: "object" });
  expect(schemaOf(null)).toEqual({ type: "object" });
  expect(schemaOf({})).toEqual({ type: "object" });
  expect(schemaOf({ properties: { a: {} } })).toEqual({ type: "object", properties: { a: {} } });
  expect(schemaOf({ type: ["object", "null"] })).toEqual({ type: "object" });
  expect(schemaOf({ type: "object", properties: [], required: ["a", 1], $defs: {} })).toEqual({
    type: "object",
    required: ["a"],
    $defs: {},
  });
  expect(schemaOf({ required: true })).toEqual({ type: "object" });
});

test("a schema that is none keeps its tool from the model", () => {
  expect(schemaOf("string")).toBe("Its inputSchema is no object.");
  expect(schemaOf({ type: "array" })).toBe("Its inputSchema describes array instead of an object.");
  const deep = JSON.parse(`${'{"a":'.repeat(100)}1${"}".repeat(100)}`);
  expect(schemaOf(deep)).toBe("Its inputSchema is nested deeper than 64.");
  expect(ingestTool({ name: "t", outputSchema: deep }, 0)).toMatchObject({ type: "quarantined" });
});

test("a name that nobody could use is refused", () => {
  expect(ingestTool({ name: "" }, 2)).toMatchObject({ name: "(tool 3, without a name)" });
  expect(ingestTool({ name: "x".repeat(1_001) }, 0)).toMatchObject({ type: "quarantined" });
  expect(ingestTool({ name: "odd name\u0000" }, 0)).toMatchObject({
    type: "tool",
    tool: { name: "odd name\u0000" },
  });
});

test("texts of the wrong type are left out", () => {
  expect(ingestTool({ name: "t", title: 1, description: null, annotations: "x" }, 0)).toEqual({
    type: "tool",
    size: expect.any(Number),
    tool: { name: "t", description: "", inputSchema: { type: "object" }, annotations: {} },
  });
});

test("any JSON is a tool or a reason", () => {
  const member = fc.jsonValue();
  const tool = fc.record(
    { name: fc.oneof(fc.string(), member), inputSchema: member, outputSchema: member, annotations: member },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(member, tool), (raw) => {
      const ingested = ingestTool(raw, 0);
      if (ingested.type === "quarantined") expect(ingested.reason).not.toBe("");
      else expect(ingested.tool.inputSchema).toMatchObject({ type: "object" });
    }),
    { numRuns: 300 },
  );
});
