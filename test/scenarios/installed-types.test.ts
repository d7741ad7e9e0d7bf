import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../cli/command.ts";

const project = mkdtempSync(join(tmpdir(), "drawbridge-types-"));
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** The strictest settings that a program may have, and no types but the package's own. */
const settings = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
  },
};

const testProgram = `
import { createHost, HostError, renderQuestion, type Approver, type RunEvent } from "drawbridge-mcp";
import { fakeServer, scriptedModel, textTool } from "drawbridge-mcp/testing";

const server = fakeServer([textTool("greet", (args) => \`hello \${String(args["name"])}\`)]);
const approve: Approver = ({ questions, redact, answer }) => {
  for (const question of questions) {
    const lines: readonly string[] = renderQuestion(question, { redact, width: 60 });
    answer(question.id, lines.length > 0 ? { type: "allow", scope: "once" } : { type: "deny" });
  }
};
const model = scriptedModel([{ calls: [{ name: "people__greet" }] }, { text: "done" }]);
await using host = createHost({ servers: { people: server.config }, model, approve, state: false });
const seen: RunEvent["type"][] = [];
for await (const event of host.run("go")) seen.push(event.type);
export const isOurs = (thrown: unknown): boolean => thrown instanceof HostError && thrown.code === "config_invalid";
`;

test("the program of the README, and one that tests with the package, compile with the strictest settings", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, program = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(program).toContain("createHost");
  mkdirSync(join(project, "node_modules"));
  symlinkSync(root, join(project, "node_modules/drawbridge-mcp"), "dir");
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(settings));
  writeFileSync(join(project, "readme.ts"), program);
  writeFileSync(join(project, "tested.ts"), testProgram);
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const compiled = spawnSync(process.execPath, [compiler, "-p", project], { encoding: "utf8" });
  expect(compiled.stdout).toBe("");
  expect(compiled.status).toBe(0);
});
