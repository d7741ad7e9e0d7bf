import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCodeMeanings, exitCodes } from "../../src/cli/exit-code.ts";
import { defaultLimits } from "../../src/config/limits.ts";
import type { KeySchema } from "../../src/config/settings/key-schema.ts";
import { settingsSchema } from "../../src/config/settings/schema.ts";
import { createHost } from "../../src/host.ts";
import { chatProfiles } from "../../src/models/openai-chat/profiles.ts";
import { page, root, tableRows } from "./markdown.ts";

/** Every word in backquotes of a cell. */
const codes = (cell = ""): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? "");

/** The default that a table tells must be that of the schema, where it has one. */
function expectKeys(rows: readonly (readonly string[])[], schema: KeySchema): void {
  const properties = schema.properties ?? {};
  expect(rows.map(([key]) => codes(key)[0])).toEqual(Object.keys(properties));
  for (const [key, told] of rows) {
    const { default: value } = properties[codes(key)[0] ?? ""] ?? {};
    if (value !== undefined && typeof value !== "object") expect(codes(told)).toEqual([String(value)]);
  }
}

test("the tables of keys have every key of the schema of config files, in its order, with its default", () => {
  const { text } = page("docs/servers.md");
  const [servers, others] = text.split("Beside `mcpServers`");
  const server = settingsSchema.properties?.mcpServers?.additionalProperties;
  if (typeof server !== "object") throw new Error("The schema has no servers.");
  expectKeys(tableRows(servers ?? "", "key", "default"), server);
  expectKeys(tableRows(others ?? "", "key", "default"), settingsSchema);
});

test("the table of limits has every limit with its default", () => {
  const rows = tableRows(page("docs/budgets.md").text, "limit", "default");
  const told = rows.map(([key, value]) => [codes(key)[0], Number(value)]);
  expect(Object.fromEntries(told)).toEqual(defaultLimits);
});

test("the tables of exit codes are those of the command, in its words", () => {
  const meanings = Object.entries(exitCodes).map(([name, code]) => [
    String(code),
    exitCodeMeanings[name as keyof typeof exitCodes],
  ]);
  expect(tableRows(page("docs/scripting.md").text, "code", "meaning")).toEqual(meanings);
});

test("the table of events has every event of the published schema", () => {
  const rows = tableRows(page("docs/scripting.md").text, "event", "what happened");
  const schema: { anyOf: readonly { properties: { type: { const: string } } }[] } = JSON.parse(
    readFileSync(join(root, "schema/run-events.schema.json"), "utf8"),
  );
  const known = new Set(schema.anyOf.map(({ properties }) => properties.type.const));
  expect(rows.flatMap(([cell]) => codes(cell)).sort()).toEqual([...known].sort());
});

test("the table of records has every kind of the audit log", () => {
  const rows = tableRows(page("docs/audit.md").text, "kind", "when");
  const source = readFileSync(join(root, "src/stores/audit-record.ts"), "utf8");
  const [, kinds = ""] = /const members[^=]*= \{\n(.*?)\n\};/s.exec(source) ?? [];
  const known = [...kinds.matchAll(/^ {2}(\w+): \{/gm)].map(([, kind]) => kind);
  expect(rows.map(([cell]) => codes(cell)[0]).sort()).toEqual(known.sort());
});

test("the table of models has every name that can be selected, and no other", () => {
  const names = tableRows(page("docs/models.md").text, "name", "who answers").map(([name]) => codes(name)[0]);
  const attempt = () => createHost({ servers: {}, state: false, audit: false, model: "no-such-model" });
  expect(attempt).toThrow("Known are");
  try {
    attempt();
  } catch (thrown) {
    const known = [...String(thrown).matchAll(/[\w-]+\/NAME/g)].map(([name]) => name);
    expect(names.sort()).toEqual([...known, "offline"].sort());
  }
});

test("the table of models has every server of Chat Completions with its address and key", () => {
  const rows = tableRows(page("docs/models.md").text, "name", "who answers");
  const told = new Map(rows.map(([name, , key, url]) => [codes(name)[0], [codes(key)[0], codes(url)[0]]]));
  for (const [api, { keyVariable, baseUrl }] of Object.entries(chatProfiles)) {
    expect(told.get(`${api}/NAME`), api).toEqual([keyVariable, baseUrl]);
  }
});
