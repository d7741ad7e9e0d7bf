import { expect, test } from "vitest";
import { makeSnapshot, makeTool } from "../../test/support/tools.ts";
import type { ResolvedCall } from "../types/outcome.ts";
import type { ToolSnapshot } from "../types/tool.ts";
import { createCallResolver } from "./resolver.ts";
import { createSchemaValidator } from "./schema-validator.ts";

const tools = [
  makeTool({
    server: "fs",
    name: "read_file",
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  }),
  makeTool({ server: "fs", name: "write_file" }),
  makeTool({ server: "fs", name: "gone_file", listed: false }),
  makeTool({ server: "clock", name: "now" }),
];
const resolver = createCallResolver(createSchemaValidator());

function resolve(
  name: string,
  input: string,
  snapshot: ToolSnapshot = makeSnapshot(tools),
): Promise<ResolvedCall> {
  return resolver.resolve({ type: "tool_call", id: "call_1", name, input }, snapshot);
}

async function rejectionOf(name: string, input: string): Promise<string> {
  const resolved = await resolve(name, input);
  return resolved.type === "rejected"
    ? `${resolved.rejected.code}: ${resolved.rejected.message}`
    : "accepted";
}

test("a valid proposal becomes a call with the tool the model saw", async () => {
  const resolved = await resolve("fs__read_file", ' { "path" : "a.txt" } ');
  expect(resolved).toMatchObject({
    type: "call",
    call: { id: "call_1", arguments: { path: "a.txt" }, argumentsJson: '{"path":"a.txt"}', warnings: [] },
  });
  expect(resolved.type === "call" && resolved.call.tool).toBe(tools[0]);
});

test("the call and its arguments cannot be changed after they were checked", async () => {
  const resolved = await resolve("fs__write_file", '{"a":{"b":[{"c":1}]}}');
  if (resolved.type !== "call") throw new Error("expected a call");
  const { a } = resolved.call.arguments as { a: { b: { c: number }[] } };
  expect(Object.isFrozen(resolved.call)).toBe(true);
  expect([a, a.b, a.b[0]].every(Object.isFrozen)).toBe(true);
});

test("an unknown name is answered with the nearest names of the snapshot, and with none of the removed ones", async () => {
  const message = await rejectionOf("fs__readfile", "{}");
  expect(message).toContain('call_unknown_tool: There is no tool "fs__readfile".');
  expect(message).toContain("fs__read_file");
  expect(message).not.toContain("fs__gone_file");
  expect(message).not.toContain("clock__now");
});

test("a raw tool name without its server finds the alias", async () => {
  expect(await rejectionOf("read_file", "{}")).toContain("The nearest names are: fs__read_file");
});

test("a name from the prototype is unknown, and a monstrous name is cut and escaped", async () => {
  expect(await rejectionOf("constructor", "{}")).toContain("call_unknown_tool");
  const message = await rejectionOf(`\u001b[2K${"x".repeat(1_000_000)}`, "{}");
  expect(message.length).toBeLessThan(300);
  expect(message).toContain("\\u001b");
});

test("at most five names are suggested", async () => {
  const many = Array.from({ length: 40 }, (_, index) => makeTool({ server: "db", name: `query_${index}` }));
  const resolved = await resolve("db__query", "{}", makeSnapshot(many));
  const message = resolved.type === "rejected" ? resolved.rejected.message : "";
  expect(message.match(/db__query_/g)).toHaveLength(5);
});

test("a tool that its server no longer lists is refused with that reason", async () => {
  expect(await rejectionOf("fs__gone_file", "{}")).toBe(
    'call_unknown_tool: The tool fs__gone_file is gone: its server "fs" no longer offers it. Do not call it again.',
  );
});

test("truncated arguments are refused as truncated, before any validation", async () => {
  const message = await rejectionOf("fs__read_file", '{"path":"x.ts","content":"abc');
  expect(message).toContain(
    "call_invalid: The arguments of fs__read_file cannot be used: they are truncated",
  );
});

test("arguments that do not fit the schema are refused with the field and what would be right", async () => {
  expect(await rejectionOf("fs__read_file", '{"path":7}')).toContain("path is 7; must be a string");
  expect(await rejectionOf("fs__read_file", "")).toContain("path is missing; must be a string");
});

test("a schema that cannot be checked lets the call through with a warning for the person", async () => {
  const tool = makeTool({
    inputSchema: { type: "object", properties: { screen: { $ref: "#/$defs/Screen" } } },
  });
  const resolved = await resolve(tool.alias, '{"screen":1}', makeSnapshot([tool]));
  expect(resolved.type === "call" && resolved.call.warnings.join()).toContain("#/$defs/Screen");
});

test("null stays null on its way, and optional arguments may be absent", async () => {
  const nullable = { anyOf: [{ type: "string" }, { type: "null" }], default: null };
  const tool = makeTool({ inputSchema: { type: "object", properties: { id: nullable, fields: nullable } } });
  const resolved = await resolve(tool.alias, '{"id":"7","fields":null}', makeSnapshot([tool]));
  expect(resolved).toMatchObject({ type: "call", call: { arguments: { id: "7", fields: null } } });
});
