import type { Json } from "../../types/json.ts";
import { fullDialect, type KeyRule, type SchemaDialect } from "../schema/dialect.ts";
import { documentKeywords } from "../schema/keywords.ts";

/** Names of parameters: a letter or an underscore first, then letters, digits and underscores, at most 64. */
const parameterKeys: KeyRule = {
  accepted: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
  refused: /^[0-9]+|[^a-zA-Z0-9_]+/g,
  longest: 64,
};

const common: SchemaDialect = {
  ...fullDialect,
  keys: parameterKeys,
  refusedAtRoot: ["enum", "not", "nullable"],
  references: "inline",
  constants: false,
  exclusiveBounds: false,
  booleanSchemas: false,
  completeContainers: true,
  declaredRequired: true,
  notes: true,
  emptyIsAbsent: true,
};

/** Keywords of the API's own `Schema`, but for those that it ignores and `pattern`, whose syntax differs. */
export const openApiKeywords: ReadonlySet<string> = new Set(
  (
    "type nullable title description format enum items minItems maxItems properties required minProperties " +
    "maxProperties minimum maximum minLength maxLength anyOf"
  ).split(" "),
);

const counts: ReadonlySet<string> = new Set(
  "minItems maxItems minProperties maxProperties minLength maxLength".split(" "),
);

function isTooLarge(keyword: string, value: Json): boolean {
  return counts.has(keyword) && !Number.isSafeInteger(value);
}

/** What the field `parameters` takes: the API's `Schema`, which is a part of OpenAPI 3.0. */
export const openApiDialect: SchemaDialect = {
  ...common,
  refuses(keyword, value) {
    // `openApiSchema` leaves a flag out without a word: it would stand in every description.
    if (keyword === "additionalProperties" && typeof value === "boolean") return false;
    return isTooLarge(keyword, value) || !isPart(openApiKeywords, keyword);
  },
  formats: new Set(["enum", "date-time"]),
  enums: "strings",
  typeLists: "nullable",
};

/** Keywords of JSON Schema that the documentation lists as understood. */
const jsonKeywords: ReadonlySet<string> = new Set(
  (
    "type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties " +
    "additionalProperties required"
  ).split(" "),
);

/** What the field `parametersJsonSchema` understands. */
export const jsonDialect: SchemaDialect = {
  ...common,
  refuses(keyword, value) {
    if (keyword === "enum" && Array.isArray(value)) {
      return !value.every((one) => typeof one === "string" || typeof one === "number");
    }
    return isTooLarge(keyword, value) || !isPart(jsonKeywords, keyword);
  },
  formats: new Set(["date-time", "date", "time"]),
};

const references: ReadonlySet<string> = new Set(["$ref", "$defs", "definitions"]);

/** References, and keywords about the document, are taken care of by the lowering. */
function isPart(keywords: ReadonlySet<string>, keyword: string): boolean {
  return keywords.has(keyword) || references.has(keyword) || documentKeywords.has(keyword);
}
