import { fullDialect } from "../schema/dialect.ts";
import { createSchemaLowering, type SchemaLowering } from "../schema/lower.ts";

/**
 * Lowers a tool's input schema to what the Messages API accepts: an object at the root without combinators, draft
 * 2020-12 throughout, property keys of `[a-zA-Z0-9_.-]{1,64}`, references that lead somewhere.
 */
export const lowerInputSchema: SchemaLowering = createSchemaLowering(fullDialect);
