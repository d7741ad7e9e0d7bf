import { expect } from "vitest";
import { createGeminiModel } from "../../src/models/gemini/model.ts";
import { startGeminiSimulator } from "../../src/testing/gemini/simulator.ts";
import type { CatalogTool } from "../../src/types/tool.ts";
import { systemClock } from "../../src/util/clock.ts";
import { itemsOf, membersOf } from "./members.ts";

/** The parameters of tools as the strict Gemini API took them. */
export async function geminiSchemas(tools: readonly CatalogTool[]): Promise<Record<string, unknown>[]> {
  const simulator = await startGeminiSimulator({ turns: [{ parts: [{ text: "done" }] }] });
  try {
    const model = createGeminiModel({
      name: "gemini-3-pro",
      apiKey: "key-of-the-simulator",
      baseUrl: simulator.url,
      fetch: globalThis.fetch,
      maxRetries: 0,
      retryDeadlineMs: 10_000,
      clock: systemClock,
    });
    const byAlias = new Map(tools.map((tool) => [tool.alias, tool]));
    const request = {
      system: "",
      snapshot: { version: 1, tools, byAlias, quarantined: [] },
      messages: [{ role: "user", content: [{ type: "text", text: "go on" }] }] as const,
      maxTokens: 100,
      signal: new AbortController().signal,
    };
    for await (const _ of model.stream(request));
    const [sent] = simulator.requests;
    expect(sent?.status).toBe(200);
    return itemsOf(sent?.body.tools)
      .flatMap((tool) => itemsOf(tool.functionDeclarations))
      .map(({ parameters, parametersJsonSchema }) => membersOf(parameters ?? parametersJsonSchema));
  } finally {
    await simulator.close();
  }
}

/** Every keyword at any depth of a schema with its value; names of properties are none. */
function keywordsOf(schema: unknown): [string, unknown][] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  return Object.entries(membersOf(schema)).flatMap(([name, value]): [string, unknown][] => {
    const inner = name === "properties" ? Object.values(membersOf(value)) : value;
    return [[name, value], ...keywordsOf(inner)];
  });
}

/** Checks what a case says of the schemas that Gemini gets. */
export function checkGemini(wanted: unknown, schemas: readonly Record<string, unknown>[]): void {
  expect(schemas.length).toBeGreaterThan(0);
  for (const [name, value] of Object.entries(membersOf(wanted))) {
    const keywords = schemas.flatMap(keywordsOf);
    if (name === "noKeys") {
      for (const key of value as string[]) expect(keywords.map(([keyword]) => keyword)).not.toContain(key);
    } else if (name === "formatsOnly") {
      const formats = keywords.flatMap(([keyword, format]) => (keyword === "format" ? [format] : []));
      expect(formats.filter((format) => !(value as unknown[]).includes(format))).toEqual([]);
    } else if (name === "noTypeArrays") {
      expect(keywords.filter(([keyword, type]) => keyword === "type" && Array.isArray(type))).toEqual([]);
    } else if (name === "path") {
      const found = (value as string[]).reduce<unknown>((node, key) => membersOf(node)[key], schemas[0]);
      expect(found).toBe(membersOf(wanted).equals);
    } else expect(name, "there is a check for it").toBe("equals");
  }
}
