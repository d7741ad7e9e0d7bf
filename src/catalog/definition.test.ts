import { expect, test } from "vitest";
import type { ServerTool } from "../types/tool.ts";
import { catalogTool } from "./definition.ts";

const whole: ServerTool = {
  name: "send",
  title: "Send",
  description: "Sends a mail",
  inputSchema: { type: "object", properties: { to: { type: "string" } } },
  outputSchema: { type: "object", properties: { id: { type: "string" } } },
  annotations: {
    title: "Send it",
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
};

const hashOf = (tool: ServerTool) =>
  catalogTool({ server: "s", trusted: false, configHash: "c", tools: [tool], quarantined: [] }, tool)
    .definitionHash;

test.each<[string, Partial<ServerTool>]>([
  ["the name", { name: "sent" }],
  ["the title", { title: "Send it" }],
  ["the description", { description: "Sends a mail." }],
  [
    "a field of the input",
    { inputSchema: { type: "object", properties: { to: { type: "string" }, bcc: {} } } },
  ],
  [
    "a word deep inside the input",
    { inputSchema: { type: "object", properties: { to: { type: "string", description: "x" } } } },
  ],
  ["a field of the output", { outputSchema: { type: "object", properties: { id: { type: "number" } } } }],
  ["the title among the hints", { annotations: { ...whole.annotations, title: "Go" } }],
  ["the hint that it only reads", { annotations: { ...whole.annotations, readOnlyHint: true } }],
  ["the hint that it destroys", { annotations: { ...whole.annotations, destructiveHint: true } }],
  ["the hint that it may be repeated", { annotations: { ...whole.annotations, idempotentHint: true } }],
  ["the hint that it reaches outside", { annotations: { ...whole.annotations, openWorldHint: true } }],
  ["hints that are no longer there", { annotations: {} }],
])("%s: another is another definition", (_name, change) => {
  expect(hashOf({ ...whole, ...change })).not.toBe(hashOf(whole));
});

test("a title or an output schema that is gone is another definition, the order of keys is not", () => {
  const { title: _, ...untitled } = whole;
  const { outputSchema: _schema, ...unspecified } = whole;
  expect(new Set([whole, untitled, unspecified].map(hashOf)).size).toBe(3);
  const turned = Object.fromEntries(Object.entries(whole).reverse()) as unknown as ServerTool;
  expect(hashOf(turned)).toBe(hashOf(whole));
});

test("the hash of a definition stays what it is from version to version: grants are bound to it", () => {
  expect(hashOf(whole)).toBe("98cbe61245f35baf6e3a3c6498ea93af736b3ac06d28a8c60d6d4324e73d9709");
});

test("nobody who is handed a tool can change its definition", () => {
  const tool = structuredClone(whole);
  hashOf(tool);
  expect(() => Object.assign(tool.annotations, { readOnlyHint: true })).toThrow(TypeError);
  expect(() => Object.assign(tool.inputSchema.properties ?? {}, { to: {} })).toThrow(TypeError);
});
