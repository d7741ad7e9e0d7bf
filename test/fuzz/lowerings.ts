import { openApiDialect } from "../../src/models/gemini/dialect.ts";
import { createParameterLowering } from "../../src/models/gemini/parameters.ts";
import { chatProfiles } from "../../src/models/openai-chat/profiles.ts";
import { fullDialect, type KeyRule, type SchemaDialect } from "../../src/models/schema/dialect.ts";
import { createSchemaLowering } from "../../src/models/schema/lower.ts";
import type { JsonObject } from "../../src/types/json.ts";
import { isObject } from "../../src/util/own.ts";

/** How an API's adapter lowers the schema of a tool. */
export interface Lowering {
  readonly keys: KeyRule;
  lower(schema: JsonObject): { readonly schema: JsonObject; restore(argumentsJson: string): string };
}

function inDialect(dialect: SchemaDialect): Lowering {
  const lower = createSchemaLowering(dialect);
  return {
    keys: dialect.keys,
    lower(schema) {
      const { json, restore } = lower(schema);
      return { schema: JSON.parse(json) as JsonObject, restore };
    },
  };
}

/** Gemini has two fields for a schema; a tool without parameters has neither. */
function inParameters(): Lowering {
  const lower = createParameterLowering();
  return {
    keys: openApiDialect.keys,
    lower(schema) {
      const { json, restore } = lower(schema);
      const fields: unknown = JSON.parse(`{${json}}`);
      const [found] = isObject(fields) ? Object.values(fields) : [];
      return { schema: isObject(found) ? (found as JsonObject) : {}, restore };
    },
  };
}

/** The lowerings of the adapters, one of each kind. */
export const lowerings: Readonly<Record<string, Lowering>> = {
  anthropic: inDialect(fullDialect),
  openai: inDialect(chatProfiles["openai-chat"].dialect),
  ollama: inDialect(chatProfiles.ollama.dialect),
  llamacpp: inDialect(chatProfiles.llamacpp.dialect),
  gemini: inParameters(),
};
