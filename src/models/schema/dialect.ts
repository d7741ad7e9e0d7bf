import type { Json } from "../../types/json.ts";

/** Which property keys an API takes. */
export interface KeyRule {
  readonly accepted: RegExp;
  /** Runs of characters that it does not take. Global. */
  readonly refused: RegExp;
  /** Most characters of a key. */
  readonly longest: number;
}

/** What one API takes as the schema of a tool's arguments. Everything else is converted, or widened, never narrowed. */
export interface SchemaDialect {
  readonly keys: KeyRule;
  /** Keywords that may not stand at the root, beside `oneOf`, `anyOf`, `allOf` and `$ref`, which are always merged there. */
  readonly refusedAtRoot: readonly string[];
  /** Whether `$ref` into the schema itself is understood, or its target has to stand in its place. */
  readonly references: "keep" | "inline";
  /** Whether a keyword with this value has to be left out. */
  refuses(keyword: string, value: Json): boolean;
  /** Values of `format` that are understood. */
  readonly formats: "any" | ReadonlySet<string>;
  /** Whether `const` is understood; else it becomes an `enum` of one. */
  readonly constants: boolean;
  /** Whether an `enum` may hold anything, or strings only. */
  readonly enums: "any" | "strings";
  /** How a value of several types is said: `type` as a list, or one type and `nullable` (OpenAPI 3.0). */
  readonly typeLists: "list" | "nullable";
  /** Whether `exclusiveMinimum` and `exclusiveMaximum` are understood. */
  readonly exclusiveBounds: boolean;
  /** Whether `true` and `false` may stand for a schema. */
  readonly booleanSchemas: boolean;
  /** Whether every object must have `properties`, and every array `items`. */
  readonly completeContainers: boolean;
  /** Whether every name in `required` must be one of the `properties`. */
  readonly declaredRequired: boolean;
  /** Whether a schema that allows every type must name them all. */
  readonly namedTypes: boolean;
  /** Whether a constraint that has to be left out is told in the description. */
  readonly notes: boolean;
  /** Whether `null` and `""` of an optional parameter that takes neither are read as its absence. */
  readonly emptyIsAbsent: boolean;
}

/** Keys that the Anthropic API takes, and with it every server that hands its requests on to it. */
export const plainKeys: KeyRule = {
  accepted: /^[a-zA-Z0-9_.-]{1,64}$/,
  refused: /[^a-zA-Z0-9_.-]+/g,
  longest: 64,
};

/** An API that takes draft 2020-12, but for combinators at the root and unusual keys. */
export const fullDialect: SchemaDialect = {
  keys: plainKeys,
  refusedAtRoot: [],
  references: "keep",
  refuses: () => false,
  formats: "any",
  constants: true,
  enums: "any",
  typeLists: "list",
  exclusiveBounds: true,
  booleanSchemas: true,
  completeContainers: false,
  declaredRequired: false,
  namedTypes: false,
  notes: false,
  emptyIsAbsent: false,
};
