import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { root } from "./command.ts";

const server = join(root, "test/cli/fixtures/server.mjs");

/** The config of the fixture server. */
export function fixtureServer(mode = "plain"): {
  readonly command: string;
  readonly args: readonly string[];
} {
  return { command: "node", args: [server, mode] };
}

/** A folder with an `.mcp.json` of these servers; gone when the tests of the file are done. */
export function projectFolder(mcpServers: object): string {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-project-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers }, null, 2));
  return folder;
}
