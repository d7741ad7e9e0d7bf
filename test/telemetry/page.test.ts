import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the page on telemetry names every attribute and event that the code does, and no other", () => {
  const files = readdirSync(join(root, "src/telemetry")).filter((name) => !name.endsWith(".test.ts"));
  const sources = files.filter((name) => name.endsWith(".ts")).map((name) => read(`src/telemetry/${name}`));
  const code = [...sources, read("src/host/telemetry.ts")].join("\n");
  const name = /^(?:gen_ai|mcp|drawbridge|error|network|server)\.[a-z_.]+$/;
  const quoted = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, found = ""]) => found))].filter((found) =>
      name.test(found),
    );
  const inCode = quoted(code, /"([^"\s]+)"/g).sort();
  expect(inCode.length).toBeGreaterThan(40);
  expect(quoted(read("docs/telemetry.md"), /`([^`\s]+)`/g).sort()).toEqual(inCode);
});
