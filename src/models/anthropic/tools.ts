import type { ToolSnapshot } from "../../types/tool.ts";
import { createToolEncoder, type EncodedTools } from "../wire/tools.ts";
import { lowerInputSchema } from "./schema.ts";

/** The tools of a snapshot in the API's form, with the cache breakpoint on the last one. */
export const encodeTools: (snapshot: ToolSnapshot) => EncodedTools = createToolEncoder({
  apiName: "The Messages API",
  lower: lowerInputSchema,
  write({ alias, definition }, schema, last) {
    const head = `{"name":${JSON.stringify(alias)},"description":${JSON.stringify(definition.description)}`;
    const breakpoint = last ? ',"cache_control":{"type":"ephemeral"}' : "";
    return `${head},"input_schema":${schema}${breakpoint}}`;
  },
  wrap: (parts) => `"tools":[${parts.join(",")}],`,
});
