import { chatProfiles } from "../../../src/models/openai-chat/profiles.ts";
import { fullDialect, type SchemaDialect } from "../../../src/models/schema/dialect.ts";
import { createSchemaLowering } from "../../../src/models/schema/lower.ts";
import type { JsonObject } from "../../../src/types/json.ts";

/** One dialect of each kind that is sent as JSON Schema. */
export const commonDialects: Readonly<Record<string, SchemaDialect>> = {
  full: fullDialect,
  openai: chatProfiles["openai-chat"].dialect,
  inlined: chatProfiles.ollama.dialect,
  grammar: chatProfiles.llamacpp.dialect,
};

export const lowerBy = (dialect: SchemaDialect, schema: JsonObject): JsonObject =>
  JSON.parse(createSchemaLowering(dialect)(schema).json) as JsonObject;
