import { expect, test } from "vitest";
import { headerProblem } from "./header-declarations.ts";

const property = (more: object) => ({
  type: "object",
  properties: { a: { type: "string", "x-mcp-header": "A", ...more } },
});

test("headers of properties, also of nested ones, are in order", () => {
  expect(headerProblem(property({}))).toBeNull();
  expect(headerProblem({ type: "object", properties: { outer: property({}) } })).toBeNull();
  expect(headerProblem({ type: "object" })).toBeNull();
});

test.each([
  ["at the root", { type: "object", "x-mcp-header": "A" }],
  ["in an array", { properties: { a: { items: { type: "string", "x-mcp-header": "A" } } } }],
  ["in a branch", { anyOf: [property({})] }],
  ["in a definition", { $defs: { a: { type: "string", "x-mcp-header": "A" } } }],
  ["on a number", property({ type: "number" })],
  ["without a type", property({ type: undefined })],
  ["empty", property({ "x-mcp-header": "" })],
  ["with a line break", property({ "x-mcp-header": "A\r\nB" })],
  ["twice", { properties: { a: property({}), b: property({ "x-mcp-header": "a" }) } }],
])("a header %s is a problem", (_where, schema) => {
  expect(headerProblem(schema)).toContain("x-mcp-header");
});
