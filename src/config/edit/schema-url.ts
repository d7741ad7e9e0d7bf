/** Where editors find the schema of `drawbridge.json`. */
export const schemaUrl = "https://unpkg.com/drawbridge-mcp/schema/drawbridge.schema.json";
