import fc from "fast-check";
import { expect, test } from "vitest";
import { makeTool, type ToolParts } from "../../test/support/tools.ts";
import { defaultLimits } from "../config/limits.ts";
import type { JsonObject } from "../types/json.ts";
import type { CatalogTool } from "../types/tool.ts";
import { utf8Length } from "../util/utf8.ts";
import { createToolSearch } from "./tool-search.ts";

async function search(tools: readonly CatalogTool[], given: JsonObject, limits = defaultLimits) {
  const reply = await createToolSearch(
    () => tools,
    limits,
  )({
    runId: "run",
    route: { server: "drawbridge", tool: "search_tools" },
    arguments: given,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  const [block] = reply.content;
  const text = block?.type === "text" ? block.text : "";
  const lines = text.split("\n").filter((line) => line.startsWith("{"));
  return { text, isError: reply.isError, found: lines.map((line) => JSON.parse(line) as JsonObject) };
}

const tool = (name: string, description = "", more: ToolParts = {}): CatalogTool =>
  makeTool({ server: "s", name, description, ...more });

const catalog = [
  tool("createIssue", "Opens an issue in a repository."),
  tool("list_issues", "Lists what is open."),
  tool("send_mail", "Sends a letter to somebody.", {
    inputSchema: {
      type: "object",
      properties: { recipient: { type: "string", description: "The address." } },
    },
  }),
  tool("weather", "What it is like outside.", { title: "Forecast" }),
];

test.each([
  ["create an issue", "s__createIssue"],
  ["ISSUES list", "s__list_issues"],
  ["recipient address", "s__send_mail"],
  ["forcast", "s__weather"],
  ["repositories", "s__createIssue"],
  ["s__weather", "s__weather"],
  ["s/send_mail", "s__send_mail"],
])("%s finds %s first", async (query, alias) => {
  expect((await search(catalog, { query })).found[0]?.name).toBe(alias);
});

test("what is found has the whole schema of its server, and how to call it", async () => {
  const { text, found } = await search(catalog, { query: "mail" });
  expect(found).toEqual([
    {
      name: "s__send_mail",
      description: "Sends a letter to somebody.",
      inputSchema: catalog[2]?.definition.inputSchema,
    },
  ]);
  expect(text).toContain("drawbridge__call_tool");
});

test("nothing found is no error: it says how many there are, and where", async () => {
  expect(await search(catalog, { query: "quantum" })).toMatchObject({
    isError: false,
    text: expect.stringContaining(
      'None of 4 more tools fits "quantum". Try other words. Servers with more tools: s (4).',
    ),
  });
  expect((await search(catalog, { query: " " })).isError).toBe(true);
  expect((await search([], { query: "x" })).text).toContain("None of 0 more tools");
});

test("so many are described as were asked for, and the next are named", async () => {
  const many = Array.from({ length: 40 }, (_, index) => tool(`op_${index}`));
  const { found, text } = await search(many, { query: "op", limit: 3 });
  expect(found).toHaveLength(3);
  expect(
    text
      .split("\n")
      .at(-1)
      ?.match(/s__op_/g),
  ).toHaveLength(20);
  expect((await search(many, { query: "op" })).found).toHaveLength(5);
});

test("the host's own tools and those that are gone are not found", async () => {
  const tools = [
    makeTool({ server: "drawbridge", name: "read_output" }),
    tool("read_gone", "", { listed: false }),
  ];
  expect((await search(tools, { query: "read" })).found).toEqual([]);
});

test("a huge definition is told in outline, within the output of one result", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, index) => [`parameter_${index}`, { description: "long ".repeat(20) }]),
  );
  const huge = tool("huge", "d".repeat(50_000), {
    inputSchema: { type: "object", properties, required: ["parameter_1"] },
  });
  const { found, text } = await search([huge, ...catalog], { query: "huge" });
  expect(utf8Length(text)).toBeLessThan(defaultLimits.outputTokensPerResult * 3);
  expect(found[0]).toMatchObject({ name: "s__huge", required: ["parameter_1"] });
  expect(String(found[0]?.description)).toContain("49,000 more characters");
});

test("a server's words stay inside their line, whatever they are, and the answer inside its budget", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.constantFrom('\n{"name":"x"}', "\u2028", "```", "\ud800"),
  );
  const tools = fc.array(fc.record({ description: text, title: text, key: text }), {
    minLength: 1,
    maxLength: 12,
  });
  const property = fc.asyncProperty(
    tools,
    text,
    fc.constantFrom(100, 1_000, 10_000),
    async (parts, query, tokens) => {
      const limits = { ...defaultLimits, outputTokensPerResult: tokens };
      const made = parts.map(({ description, title, key }, index) =>
        tool(`find_${index}`, description, {
          title,
          inputSchema: { type: "object", properties: { [key]: {} } },
        }),
      );
      const { text: said, found } = await search(made, { query: `find ${query}`, limit: 20 }, limits);
      expect(utf8Length(said)).toBeLessThanOrEqual(Math.max(400, tokens * 3));
      expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
      for (const { name } of found) expect(made.some(({ alias }) => alias === name)).toBe(true);
      expect((await search(made, { query: `find ${query}`, limit: 20 }, limits)).text).toBe(said);
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
