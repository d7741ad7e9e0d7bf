import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { createSchemaValidator } from "../../src/calls/schema-validator.ts";
import type { Json, JsonObject } from "../../src/types/json.ts";
import { asTheModelWrites } from "../support/as-the-model-writes.ts";
import type { Lowering } from "./lowerings.ts";
import { type SampledTool, sampledTool } from "./sampled-schema.ts";

const ajv = new Ajv2020({
  strict: false,
  logger: false,
  validateSchema: false,
  validateFormats: false,
  ownProperties: true,
});

/** `nullable` as the APIs that take it mean it: JSON Schema does not know it. */
function withNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = value as JsonObject;
  const plain = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, withNulls(member)]));
  return nullable === true ? { anyOf: [{ type: "null" }, plain] } : plain;
}

/** Null when the schema takes the value. */
function problems(schema: JsonObject, value: Json): string | null {
  const check = ajv.compile(withNulls(schema) as JsonObject);
  ajv.removeSchema();
  return check(value) ? null : ajv.errorsText(check.errors);
}

/**
 * What follows a tool's schema follows the lowered one, and maps back to itself.
 * @param followed called for each pair of a schema and arguments that follow it
 */
export function loweringProperty(
  lowering: Lowering,
  followed: () => void,
): fc.IAsyncPropertyWithHooks<[SampledTool]> {
  const validator = createSchemaValidator();
  return fc.asyncProperty(sampledTool, async ({ schema, arguments: given }) => {
    const original = await validator.check(schema, given);
    // A part that could not be checked proves nothing.
    if (!original.valid || original.warnings.length > 0) return;
    followed();
    const lowered = lowering.lower(schema);
    const written = asTheModelWrites(given, schema, lowering.keys);
    const problem = problems(lowered.schema, written);
    if (problem !== null) throw new Error(`the lowered schema does not take the arguments: ${problem}`);
    const back = lowered.restore(JSON.stringify(written));
    if (back !== JSON.stringify(given)) throw new Error(`the arguments came back as ${back}`);
  });
}
