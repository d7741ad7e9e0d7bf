import type { Json, JsonObject } from "../types/json.ts";
import type { SchemaCheck, SchemaValidator } from "../types/ports.ts";
import { own } from "../util/own.ts";
import { utf8Length } from "../util/utf8.ts";
import { visibleLine } from "../util/visible.ts";
import { type CompiledSchema, compileSchema, loadEngines } from "./schema-compile.ts";
import { CheckTooLong, type Meter, resetMeter } from "./schema-meter.ts";
import { describeProblems } from "./schema-problems.ts";

const maxBytes = 256 * 1024;
const maxDepth = 64;
/** Compiling more would hold the event loop for longer than half a second. */
const maxNodes = 10_000;
const maxWarnings = 5;

/** A dialect by its `$schema`, with or without `#`. Others are not checked. */
const dialects = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12|2019-09)|(draft-0[467]))\/schema#?$/;

/**
 * Checks values against the schemas of servers. JSON Schema 2020-12 unless `$schema` says another draft; `format` is
 * an annotation. What cannot be checked safely is not checked and a warning says so: a bad schema never loses its
 * tool, never fetches anything, and never holds the event loop.
 */
export function createSchemaValidator(): SchemaValidator {
  const compiled = new WeakMap<JsonObject, CompiledSchema>();
  const compiling = new WeakMap<JsonObject, Promise<CompiledSchema>>();
  const meter: Meter = { left: 0 };

  return {
    async check(schema, value) {
      return runCheck(compiled.get(schema) ?? (await compiledOnce(schema)), value, meter);
    },
  };

  /** Calls of one turn that need the same schema wait for one compilation. */
  function compiledOnce(schema: JsonObject): Promise<CompiledSchema> {
    const begun = compiling.get(schema);
    if (begun !== undefined) return begun;
    const compilation = compile(schema, meter).then((found) => {
      compiled.set(schema, found);
      return found;
    });
    compiling.set(schema, compilation);
    return compilation;
  }
}

async function compile(schema: JsonObject, meter: Meter): Promise<CompiledSchema> {
  try {
    const problem = outOfBounds(schema);
    if (problem !== null) return unchecked(problem);
    const text = JSON.stringify(schema);
    if (utf8Length(text) > maxBytes) return unchecked(`it is larger than ${maxBytes / 1024} KiB`);
    const dialect = own(schema, "$schema");
    const draft = typeof dialect === "string" ? dialects.exec(dialect) : undefined;
    if (draft === null) {
      return unchecked(`its dialect ${visibleLine(String(dialect).slice(0, 80))} is not known`);
    }
    return compileSchema(schema, draft?.[2] !== undefined, await loadEngines(text), meter);
  } catch (thrown) {
    const reason =
      thrown instanceof Error ? visibleLine(thrown.message.slice(0, 120)) : "it cannot be compiled";
    return unchecked(reason);
  }
}

function unchecked(reason: string): CompiledSchema {
  return { run: () => [], schema: {}, warnings: [`nothing could be checked: ${reason}`] };
}

function outOfBounds(schema: JsonObject): string | null {
  let level: Json[] = [schema];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length;
    if (depth > maxDepth) return `it is nested deeper than ${maxDepth} levels`;
    if (nodes > maxNodes) return `it has more than ${maxNodes} parts`;
    level = level.flatMap((node) =>
      typeof node === "object" && node !== null ? Object.values<Json>(node) : [],
    );
  }
  return null;
}

function runCheck(compiled: CompiledSchema, value: Json, meter: Meter): SchemaCheck {
  resetMeter(meter);
  try {
    const errors = compiled.run(value);
    if (errors.length > 0)
      return { valid: false, problems: describeProblems(errors, value, compiled.schema) };
    return { valid: true, warnings: asWarnings(compiled.warnings) };
  } catch (thrown) {
    const why = thrown instanceof CheckTooLong ? "it would take too long" : "it refers to itself without end";
    return { valid: true, warnings: asWarnings([`nothing could be checked: ${why}`]) };
  }
}

function asWarnings(notes: readonly string[]): readonly string[] {
  if (notes.length === 0) return [];
  const shown = notes.slice(0, maxWarnings).map((note) => `In the tool's schema, ${note}.`);
  const more = notes.length - shown.length;
  return more > 0 ? [...shown, `In the tool's schema, ${more} more parts are not checked.`] : shown;
}
