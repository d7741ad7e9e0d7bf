import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HostError } from "../../src/errors.ts";
import type { LoadedConfig } from "../../src/types/settings.ts";
import { type TestProject, testProject } from "./project.ts";

/** What loading ends with: a config, or one error of the right kind. Anything else fails the test. */
async function outcome(project: TestProject): Promise<LoadedConfig | HostError> {
  try {
    return await project.load();
  } catch (thrown) {
    if (!(thrown instanceof HostError) || thrown.code !== "config_invalid") throw thrown;
    return thrown;
  }
}

const id = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("__proto__", "constructor", "toString", "my server", "a.b", "A", "ü", "", "x/y"),
);
const names = [
  "mcpServers",
  "command",
  "args",
  "env",
  "url",
  "type",
  "limits",
  "turns",
  "policy",
  "rules",
  "trust",
];
const key = fc.oneof(fc.constantFrom(...names), id);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, "x", "${", "https://example.com"),
    fc.string(),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(key, tie("json"), { maxKeys: 4 }),
  ),
}));

test("whatever stands in the files, loading gives a config of servers that are not started, or one error", async () => {
  const project = testProject();
  const text = fc.oneof(
    json.map((value) => JSON.stringify(value)),
    fc.string({ unit: "binary" }),
  );
  await fc.assert(
    fc.asyncProperty(text, text, text, async (shared, own, user) => {
      project.write(".mcp.json", shared);
      project.write("drawbridge.json", own);
      project.writeUser(user);
      const end = await outcome(project);
      if (end instanceof HostError) {
        for (const line of end.message.split("\n")) {
          expect(line).toMatch(
            /^(?:\S+:\d+:\d+: [^\n\r\u0000-\u001f\u007f-\u009f]+|There (?:is|are) \d+ more problems?\.)$/,
          );
        }
      } else
        expect(
          end.servers.every((server) => server.origin.type === "user" || server.pending || server.disabled),
        ).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("ids of any kind keep their servers apart", async () => {
  const project = testProject();
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(
        id.filter((text) => text !== "drawbridge"),
        { maxLength: 5 },
      ),
      async (ids) => {
        const entries = ids.map((text, index) => [
          text,
          { command: "x", args: [String(index)], env: { [text]: "1" } },
        ]);
        project.write(".mcp.json", { mcpServers: Object.fromEntries(entries) });
        const { servers } = await project.load();
        const found = servers.map((server) => [server.id, server.written]);
        const expected = entries.map(([text, entry]) => [text, { type: "stdio", ...(entry as object) }]);
        const byId = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
        expect(found).toEqual(expected.sort(byId));
        expect(servers.map(({ config }) => "env" in config && Object.keys(config.env ?? {}))).toEqual(
          servers.map((server) => [server.id]),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test("loading starts nothing", async () => {
  const project = testProject();
  const touched = join(project.folder, "touched");
  const script = `require("node:fs").writeFileSync(${JSON.stringify(touched)}, "")`;
  const server = { command: process.execPath, args: ["-e", script] };
  project.write(".mcp.json", { mcpServers: { a: server } });
  project.writeUser({ mcpServers: { b: server } });
  expect((await project.load()).servers).toHaveLength(2);
  expect(existsSync(touched)).toBe(false);
});
