import { fullDialect, type SchemaDialect } from "./dialect.ts";

/**
 * What OpenAI takes without `strict`: an object at the root without combinators, `enum` and `not`, `properties` of
 * every object, `items` of every array, no schema that is just `true` or `false`.
 */
export const openaiDialect: SchemaDialect = {
  ...fullDialect,
  refusedAtRoot: ["enum", "const", "not"],
  booleanSchemas: false,
  completeContainers: true,
  emptyIsAbsent: true,
};
