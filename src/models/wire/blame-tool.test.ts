import { expect, test } from "vitest";
import type { CatalogTool } from "../../types/tool.ts";
import { blameTool } from "./blame-tool.ts";
import type { EncodedTools } from "./tools.ts";

const tools = ["fs__read", "fs__write"].map((alias) => ({ alias }) as CatalogTool);
const encoded: EncodedTools = { bytes: new Uint8Array(), tools, leftOut: [], restore: (_, json) => json };

test.each([
  ["Invalid schema for function 'fs__write': schema must be an object.", "fs__write"],
  ["Invalid 'tools[1].function.name': string too long.", "fs__write"],
  ["tools.0.custom.name: String should match pattern", "fs__read"],
  [
    "Invalid JSON payload received. Unknown name \"const\" at 'tools[0].function_declarations[1].parameters'",
    "fs__write",
  ],
  ["* GenerateContentRequest.tools[9].function_declarations[1].name: Invalid function name.", "fs__write"],
  ["Invalid schema for function 'other'", null],
  ["messages[0].content: too long", null],
])("%s", (words, alias) => {
  expect(blameTool(words, encoded)).toEqual(alias === null ? [] : [{ type: "tool", alias }]);
});
