import { expect } from "vitest";
import type { Checks } from "./cases.ts";
import { membersOf } from "./members.ts";

type Schemas = readonly Record<string, unknown>[];

/** Every keyword at any depth of a schema with its value; names of properties are none. */
function keywordsOf(schema: unknown): [string, unknown][] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  return Object.entries(membersOf(schema)).flatMap(([name, value]): [string, unknown][] => {
    const inner = name === "properties" ? Object.values(membersOf(value)) : value;
    return [[name, value], ...keywordsOf(inner)];
  });
}

/** Every property key at any depth of a schema. */
export function propertyKeys(schema: unknown): string[] {
  return keywordsOf(schema).flatMap(([name, value]) =>
    name === "properties" ? Object.keys(membersOf(value)) : [],
  );
}

function nodesOf(schema: unknown): Record<string, unknown>[] {
  if (Array.isArray(schema)) return schema.flatMap(nodesOf);
  const node = membersOf(schema);
  return [node, ...Object.values(node).flatMap(nodesOf)];
}

/** What cases say of the schemas that one API gets. */
export const schemaChecks: Checks<Schemas> = {
  noRootKeys: (wanted, schemas) => {
    for (const schema of schemas) {
      for (const key of wanted as string[]) expect(schema).not.toHaveProperty(key);
    }
  },
  keepTools: (wanted, schemas) => expect(schemas.length).toBe(wanted),
  allKeysMatch: (wanted, schemas) => {
    for (const key of schemas.flatMap(propertyKeys)) expect(key).toMatch(new RegExp(String(wanted)));
  },
  distinctKeys: (wanted, schemas) => {
    for (const schema of schemas) expect(new Set(propertyKeys(schema)).size).toBe(wanted);
  },
  everyObjectHasProperties: (_, schemas) => {
    expect(schemas.length).toBeGreaterThan(0);
    for (const node of schemas.flatMap(nodesOf)) {
      if (node.type === "object") expect(node).toHaveProperty("properties");
    }
  },
  noKeys: (wanted, schemas) => {
    const found = schemas.flatMap(keywordsOf).map(([keyword]) => keyword);
    for (const key of wanted as string[]) expect(found).not.toContain(key);
  },
  formatsOnly: (wanted, schemas) => {
    const found = schemas.flatMap(keywordsOf).flatMap(([name, value]) => (name === "format" ? [value] : []));
    expect(found.filter((format) => !(wanted as unknown[]).includes(format))).toEqual([]);
  },
  noTypeArrays: (_, schemas) => {
    const types = schemas.flatMap(keywordsOf).filter(([name]) => name === "type");
    expect(types.filter(([, type]) => Array.isArray(type))).toEqual([]);
  },
};

/** The value at the end of a path into the first schema. */
export function valueAt(path: readonly string[], schemas: Schemas): unknown {
  return path.reduce<unknown>((node, key) => membersOf(node)[key], schemas[0]);
}
