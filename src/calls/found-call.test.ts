import fc from "fast-check";
import { expect, test } from "vitest";
import { makeSnapshot, makeTool } from "../../test/support/tools.ts";
import type { JsonObject } from "../types/json.ts";
import { createCallResolver } from "./resolver.ts";
import { createSchemaValidator } from "./schema-validator.ts";

const read = makeTool({
  server: "files",
  name: "read",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
});
const anything = makeTool({ server: "files", name: "any" });
const snapshot = makeSnapshot([read, anything]);
const resolver = createCallResolver(createSchemaValidator());

const resolve = (input: string) =>
  resolver.resolve({ type: "tool_call", id: "call_1", name: "drawbridge__call_tool", input }, snapshot);

test("a call of a found tool is the call of that tool, under its own id and with its own arguments", async () => {
  const resolved = await resolve('{"name":"files__read","arguments":{"path":"a.txt"}}');
  expect(resolved).toMatchObject({
    type: "call",
    call: { id: "call_1", tool: read, arguments: { path: "a.txt" }, argumentsJson: '{"path":"a.txt"}' },
  });
});

test("the tool's own schema holds, also for arguments that were left out", async () => {
  for (const given of ['{"path":5}', "null", "[]", "7", '"x"', '"{\\"path\\":5}"']) {
    const resolved = await resolve(`{"name":"files__read","arguments":${given}}`);
    expect(resolved).toMatchObject({
      type: "rejected",
      name: "files__read",
      rejected: { code: "call_invalid", message: expect.stringContaining("files__read") },
    });
  }
  expect(await resolve('{"name":"files__read"}')).toMatchObject({ type: "rejected", name: "files__read" });
  expect(await resolve('{"name":"files__any"}')).toMatchObject({ type: "call", call: { arguments: {} } });
});

test.each([
  ["{}", 'needs the "name"'],
  ['{"name":7}', 'needs the "name"'],
  ['{"name":"drawbridge__call_tool","arguments":{"name":"files__read"}}', "not itself"],
  ['{"name":"files__read","path":"a.txt"}', 'takes "name" and "arguments" only'],
  ['{"name":"files__any","arguments":{"a":1,"a":2}}', "cannot be used"],
  ['{"name":"files__any","arguments":{"n":12345678901234567890}}', "cannot be used"],
  ['{"name":"files__any","argu', "cannot be used"],
  ['{"__proto__":{"name":"files__read"}}', 'needs the "name"'],
])("%s is rejected: %s", async (input, words) => {
  expect(await resolve(input)).toMatchObject({
    type: "rejected",
    callId: "call_1",
    rejected: { code: "call_invalid", message: expect.stringContaining(words) },
  });
});

test("a name that no tool has is told with the nearest names", async () => {
  expect(await resolve('{"name":"files__reed","arguments":{}}')).toMatchObject({
    rejected: { code: "call_unknown_tool", message: expect.stringContaining("files__read") },
  });
});

test("arguments in the wrapper are what they are without it", async () => {
  const property = fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (given) => {
    const args = JSON.parse(JSON.stringify(given)) as JsonObject;
    const plain = await resolver.resolve(
      { type: "tool_call", id: "call_1", name: "files__any", input: JSON.stringify(args) },
      snapshot,
    );
    const wrapped = await resolve(JSON.stringify({ name: "files__any", arguments: args }));
    // What cannot be read exactly is refused in both, if in other words.
    if (plain.type === "rejected") expect(wrapped.type).toBe("rejected");
    else expect(wrapped).toEqual(plain);
  });
  await fc.assert(property, { numRuns: 100 });
});
