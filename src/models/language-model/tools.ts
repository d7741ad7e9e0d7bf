import type { ToolSnapshot } from "../../types/tool.ts";
import type { SchemaDialect } from "../schema/dialect.ts";
import { createSchemaLowering } from "../schema/lower.ts";
import { openaiDialect } from "../schema/openai-dialect.ts";
import { createToolEncoder, type EncodedTools } from "../wire/tools.ts";

/** What every provider takes: they hand schemas on as they are, and some lose what a reference leads to. */
const dialect: SchemaDialect = { ...openaiDialect, references: "inline" };

/** The tools of a snapshot as a model object takes them. */
export interface OfferedTools {
  readonly encoded: EncodedTools;
  readonly tools: object[];
}

/** Each snapshot is written once. */
export function createToolOffer(): (snapshot: ToolSnapshot) => OfferedTools {
  const encode = createToolEncoder({
    apiName: "The AI SDK",
    lower: createSchemaLowering(dialect),
    write: ({ alias, definition }, schema) =>
      `{"type":"function","name":${JSON.stringify(alias)},"description":${JSON.stringify(definition.description)},"inputSchema":${schema}}`,
    wrap: (parts) => `[${parts.join(",")}]`,
  });
  const offered = new WeakMap<EncodedTools, object[]>();
  return (snapshot) => {
    const encoded = encode(snapshot);
    const text = new TextDecoder().decode(encoded.bytes);
    const tools = offered.get(encoded) ?? (text === "" ? [] : (JSON.parse(text) as object[]));
    offered.set(encoded, tools);
    return { encoded, tools };
  };
}
