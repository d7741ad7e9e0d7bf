import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { findServers } from "../../src/host/import-servers.ts";
import type { FoundServer } from "../../src/types/found-servers.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function put(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

async function found(environment: Readonly<Record<string, string>> = {}): Promise<Map<string, FoundServer>> {
  const where = { home: folder, cwd: join(folder, "project"), environment, platform: "linux" };
  const { servers } = await findServers(where);
  return new Map(servers.map((server) => [server.id, server]));
}

const desktop = ".config/Claude/claude_desktop_config.json";
const literal = { "file system": { command: "x", env: { API_KEY: "literal" } } };

test("a secret and a question of another host never share a variable, whatever they are called", async () => {
  put(desktop, { mcpServers: literal });
  put(".config/Code/User/mcp.json", {
    inputs: [{ type: "promptString", id: "api-key" }],
    servers: { search: { command: "y", args: ["--key=${input:api-key}"] } },
  });
  const servers = await found();
  expect(servers.get("file system")?.config?.env).toEqual({ API_KEY: "${API_KEY}" });
  expect(servers.get("search")?.config?.args).toEqual(["--key=${SEARCH_API_KEY}"]);
});

test("a secret never gets the name of a variable that another server takes from the environment, unless it is its value", async () => {
  put(desktop, { mcpServers: literal });
  put(".cursor/mcp.json", { mcpServers: { other: { command: "y", env: { KEY: "${env:API_KEY}" } } } });
  const servers = await found();
  expect(servers.get("file system")?.config?.env).toEqual({ API_KEY: "${FILE_SYSTEM_API_KEY}" });
  expect(servers.get("other")?.config?.env).toEqual({ KEY: "${API_KEY}" });
  const same = await found({ API_KEY: "literal" });
  expect(same.get("file system")?.config?.env).toEqual({ API_KEY: "${API_KEY}" });
});

test("a literal secret and a file that another host reads are two variables", async () => {
  put(".codex/config.toml", '[mcp_servers.c]\ncommand = "c"\nenv = { SECRET = "abcdefgh" }\n');
  const o = { type: "local", command: ["o"], environment: { PASSWORD: "{file:~/.secret}" } };
  put(".config/opencode/opencode.json", { mcp: { o } });
  const servers = await found();
  expect(servers.get("c")?.config?.env).toEqual({ SECRET: "${SECRET}" });
  expect(servers.get("o")?.config?.env).toEqual({ PASSWORD: "${O_SECRET}" });
});

test("a reference stays one: only its default is left behind", async () => {
  put(".claude.json", {
    mcpServers: {
      a: { command: "x", env: { TOKEN: "${TOK:-x}" } },
      b: { url: "https://example.com", headers: { Authorization: "Bearer ${TOK:-abc}" } },
    },
  });
  const servers = await found();
  expect(servers.get("a")?.config?.env).toEqual({ TOKEN: "${TOK}" });
  expect(servers.get("b")?.config?.headers).toEqual({ Authorization: "Bearer ${TOK}" });
  expect(servers.get("a")?.notes[0]).toContain("has a default that looks like a secret");
});

test("what only an editor knows is not taken for a variable of the environment", async () => {
  put(".config/Code/User/mcp.json", { servers: { v: { command: "v", args: ["${file}", "${lineNumber}"] } } });
  const server = (await found()).get("v");
  expect(server?.config?.args).toEqual(["${FILE}", "${LINENUMBER}"]);
  expect(server?.notes[0]).toContain("${file} has no counterpart here: set FILE");
});

test("Goose's headers name variables without braces, too", async () => {
  const yaml =
    "extensions:\n  g:\n    type: streamable_http\n    uri: https://example.com/mcp\n    headers:\n      Authorization: Bearer $G_TOKEN\n";
  put(".config/goose/config.yaml", yaml);
  expect((await found()).get("g")?.config?.headers).toEqual({ Authorization: "Bearer ${G_TOKEN}" });
});

test("what was switched off stays off: in a project's shared file, by its pattern, and tool by tool", async () => {
  const project = join(folder, "project");
  put(".claude.json", {
    mcpServers: { gh: { command: "gh" } },
    projects: { [project]: { disabledMcpServers: ["gh"], disabledMcpjsonServers: ["d"] } },
  });
  put("project/.mcp.json", { mcpServers: { d: { command: "d" }, e: { command: "e" } } });
  const local = { type: "local", command: ["o"] };
  put(".config/opencode/opencode.json", {
    mcp: { oc: local, two: local, three: local },
    tools: { "oc_*": false, two_write: false, "three_w*": false, bash: false },
  });
  const servers = await found();
  expect(servers.get("d")?.config?.disabled).toBe(true);
  expect(servers.get("e")?.config?.disabled).toBeUndefined();
  expect(servers.get("gh")?.notes[0]).toContain(`switched off in ${project}`);
  expect(servers.get("oc")?.config?.disabled).toBe(true);
  expect(servers.get("two")?.config?.tools).toEqual(["!write"]);
  expect(servers.get("three")?.config).toEqual({ command: "o" });
  expect(servers.get("three")?.notes[0]).toContain("A pattern");
});

test("an allowed tool of Gemini CLI with its arguments is the tool", async () => {
  put(".gemini/settings.json", { mcpServers: { m: { command: "m", includeTools: ["b(x)", "c"] } } });
  expect((await found()).get("m")?.config?.tools).toEqual(["b", "c"]);
});
