import type { ErrorObject } from "ajv";
import type { Json, JsonObject } from "../types/json.ts";
import { stableJson } from "../util/stable-json.ts";
import { charge, type Meter } from "./schema-meter.ts";
import { createPatterns, type LinearEngine } from "./schema-patterns.ts";
import { meterKeyword, prepareSchema } from "./schema-prepare.ts";

/** The heavy packages, loaded when a schema first needs them. */
export interface SchemaEngines {
  readonly Ajv2020: typeof import("ajv/dist/2020.js").Ajv2020;
  readonly patterns: LinearEngine;
}

/** A schema ready to run. `run` throws when the work is too much for one check. */
export interface CompiledSchema {
  readonly run: (value: Json) => readonly ErrorObject[];
  readonly schema: JsonObject;
  readonly warnings: readonly string[];
}

/** Loads what the schema with this text needs: most have no pattern. */
export async function loadEngines(schemaText: string): Promise<SchemaEngines> {
  const [{ Ajv2020 }, patterns] = await Promise.all([
    import("ajv/dist/2020.js"),
    schemaText.includes('"pattern') ? loadPatterns() : noPatterns,
  ]);
  return { Ajv2020, patterns };
}

async function loadPatterns(): Promise<LinearEngine> {
  const { RE2JS } = await import("re2js");
  return RE2JS;
}

const noPatterns: LinearEngine = {
  compile() {
    throw new Error("no schema without a pattern compiles one");
  },
  translateRegExp: (pattern) => pattern,
};

/** Compiles one schema on an Ajv of its own, so that no server's schema can meet another's. Throws what Ajv throws. */
export function compileSchema(
  root: JsonObject,
  lonelyReferences: boolean,
  engines: SchemaEngines,
  meter: Meter,
): CompiledSchema {
  const patterns = createPatterns(engines.patterns, meter);
  const { schema, warnings } = prepareSchema(root, lonelyReferences, patterns);
  const regExp = (pattern: string) => patterns.compile(pattern) ?? { test: () => true };
  const ajv = new engines.Ajv2020({
    meta: false,
    validateSchema: false,
    strict: false,
    logger: false,
    // The meter bounds how many errors there can be; stopping at the first nests code too deep for wide schemas.
    allErrors: true,
    verbose: true,
    messages: false,
    // Inlined references would let a small schema become much code.
    inlineRefs: false,
    ownProperties: true,
    validateFormats: false,
    multipleOfPrecision: 9,
    code: { optimize: false, regExp: Object.assign(regExp, { code: "linearPattern" }) },
  });
  addMeteredKeywords(ajv, meter);
  const validate = ajv.compile(schema);
  return { run: (value) => (validate(value) ? [] : (validate.errors ?? [])), schema, warnings };
}

/** Keywords whose cost grows with the value, not with the schema: Ajv's own `uniqueItems` is quadratic. */
function addMeteredKeywords(ajv: InstanceType<SchemaEngines["Ajv2020"]>, meter: Meter): void {
  ajv.addKeyword({
    keyword: meterKeyword,
    schemaType: "number",
    errors: false,
    validate: (work: number) => {
      charge(meter, work);
      return true;
    },
  });
  const length = (fits: (length: number, limit: number) => boolean) => (limit: number, text: string) => {
    charge(meter, 1 + text.length / 64);
    return fits(codePoints(text), limit);
  };
  ajv.removeKeyword("minLength").removeKeyword("maxLength").removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "minLength",
    type: "string",
    schemaType: "number",
    errors: false,
    validate: length((found, limit) => found >= limit),
  });
  ajv.addKeyword({
    keyword: "maxLength",
    type: "string",
    schemaType: "number",
    errors: false,
    validate: length((found, limit) => found <= limit),
  });
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    validate: (wanted: boolean, items: readonly Json[]) => !wanted || areUnique(items, meter),
  });
}

/** JSON Schema counts code points, not the code units of a JavaScript string. */
function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) {
      count--;
      at++;
    }
  }
  return count;
}

function areUnique(items: readonly Json[], meter: Meter): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = stableJson(item);
    charge(meter, 1 + text.length / 64);
    seen.add(text);
  }
  return seen.size === items.length;
}
