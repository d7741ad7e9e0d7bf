import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolLines } from "../../src/cli/commands/tools.ts";
import { definitionTokens } from "../../src/cli/show/token-estimate.ts";
import type { CatalogTool, ToolSnapshot } from "../../src/types/tool.ts";
import { drawbridge, fixture, homeFolder } from "./command.ts";

function tool(name: string, description: string): CatalogTool {
  return {
    alias: `fs__${name}`,
    route: { server: "fs", tool: name },
    definition: { name, description, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
    definitionHash: "",
    configHash: "",
    trusted: false,
    listed: true,
  };
}

const tools = [tool("a", "x".repeat(70)), tool("long_name", "Short.")];
const quarantined = [{ server: "fs", tool: "bad", reason: "its schema is too deep" }];
const snapshot: ToolSnapshot = { version: 1, tools, byAlias: new Map(), quarantined };

test("the table stands in columns, and a terminal's width cuts only what a tool is about", () => {
  const wide = toolLines(snapshot, Number.POSITIVE_INFINITY);
  expect(wide).toEqual([
    `fs__a          read-only, reaches outside  ~${definitionTokens(tools[0] as CatalogTool)} tokens  ${"x".repeat(70)}`,
    `fs__long_name  read-only, reaches outside  ~${definitionTokens(tools[1] as CatalogTool)} tokens  Short.`,
    "fs/bad  kept from the model: its schema is too deep",
  ]);
  const narrow = toolLines(snapshot, 80);
  expect(narrow[0]).toHaveLength(80);
  expect(narrow[0]).toMatch(/x…$/);
  expect(toolLines(snapshot, 10)[1]).toContain("Short.");
});

test("a tool costs more tokens the more it says", () => {
  const [small, large] = ["", "word ".repeat(700)].map((text) => definitionTokens(tool("a", text)));
  expect((large ?? 0) - (small ?? 0)).toBe(1000);
});

test("tools estimates what the definitions take of each request, and says that it is an estimate", async () => {
  const home = homeFolder();
  const { stdout, stderr } = await drawbridge(["tools", "--server", fixture("plain")], home);
  expect(stdout).toMatch(/notes__read_note +read-only +~\d+ tokens {2}Read note/);
  expect(stderr).toMatch(/3 tools, about \d+ tokens of each request \(an estimate\)/);
  const json = JSON.parse((await drawbridge(["tools", "--server", fixture("plain"), "--json"], home)).stdout);
  expect(json.tools[1].estimatedTokens).toBeGreaterThan(10);
});

test("tools and the doctor say how many tools the configured model has to search", async () => {
  const home = homeFolder();
  const config = join(home, "few.json");
  writeFileSync(config, JSON.stringify({ model: "ollama/some-model", limits: { offeredTools: 2 } }));
  const argv = ["--config", config, "--server", fixture("plain")];
  const told = "The model finds 2 more tools by a search: the limit offeredTools is 2.";
  const { stderr, stdout } = await drawbridge(["tools", "--json", ...argv], home);
  expect(stderr).not.toContain(told);
  expect(JSON.parse(stdout).behindSearch).toEqual({
    reason: "the limit offeredTools is 2",
    tools: [expect.stringContaining("notes__"), expect.stringContaining("notes__")],
  });
  expect((await drawbridge(["tools", ...argv], home)).stderr).toContain(`(an estimate). ${told}`);
  expect((await drawbridge(["doctor", ...argv], home)).stdout).toContain(told);
});

test("without any server tools says how to name one", async () => {
  const { code, stderr } = await drawbridge(["tools"], homeFolder());
  expect(stderr).toMatch(/^drawbridge: No server is configured\. Example: drawbridge tools --server .*\n$/);
  expect(code).toBe(2);
});

test("tools are listed without the key of the configured model, which is told", async () => {
  const home = homeFolder();
  const file = join(home, "own.json");
  writeFileSync(file, JSON.stringify({ model: "claude-opus-5" }));
  const { code, stdout, stderr } = await drawbridge(
    ["tools", "--config", file, "--server", fixture("plain")],
    home,
  );
  expect(stdout).toContain("notes__read_note");
  expect(stderr).toContain('! The model "claude-opus-5" needs a key: set ANTHROPIC_API_KEY');
  expect(code).toBe(0);
});
