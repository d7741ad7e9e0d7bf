import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { JsonObject } from "../../src/types/json.ts";
import type { CatalogTool, ServerTool, ToolSnapshot } from "../../src/types/tool.ts";

const repository = resolve(import.meta.dirname, "../..");
export const project: string = join(repository, "examples/todo-project");

/** A started server; `call` gives the text of the answer. */
export interface StartedServer {
  readonly name: string;
  readonly tools: readonly ServerTool[];
  call(tool: string, given: JsonObject): Promise<{ readonly text: string; readonly isError: boolean }>;
  close(): Promise<void>;
}

function commandOf(name: string, folder: string): string[] {
  if (name === "workspace") return [join(repository, "examples/workspace-server/server.mjs"), folder];
  const manifest = createRequire(import.meta.url).resolve(
    `@modelcontextprotocol/server-${name}/package.json`,
  );
  const entry = join(dirname(manifest), "dist/index.js");
  return name === "filesystem" ? [entry, folder] : [entry];
}

/** Starts one of the real servers: `workspace`, `filesystem`, `memory` or `everything`. The first two work in the folder. */
export async function startServer(name: string, folder: string = project): Promise<StartedServer> {
  const client = new Client({ name: "drawbridge-test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: commandOf(name, folder), stderr: "ignore" }),
  );
  const { tools } = await client.listTools();
  return {
    name,
    tools: tools.map((tool) => ({
      name: tool.name,
      ...(tool.title === undefined ? {} : { title: tool.title }),
      description: tool.description ?? "",
      inputSchema: JSON.parse(JSON.stringify(tool.inputSchema)) as JsonObject,
      annotations: JSON.parse(JSON.stringify(tool.annotations ?? {})),
    })),
    async call(tool, given) {
      const result = await client.callTool({ name: tool, arguments: given as Record<string, unknown> });
      const text = result.content.map((block) => (block.type === "text" ? block.text : `(${block.type})`));
      return { text: text.join("\n"), isError: result.isError === true };
    },
    close: () => client.close(),
  };
}

/** A snapshot as a host would make it. */
export function snapshotOf(
  servers: readonly { readonly name: string; readonly tools: readonly ServerTool[] }[],
): ToolSnapshot {
  const tools = servers.flatMap(({ name, tools: definitions }) =>
    definitions.map(
      (definition): CatalogTool => ({
        alias: `${name}__${definition.name}`,
        route: { server: name, tool: definition.name },
        definition,
        definitionHash: `hash of ${definition.name}`,
        configHash: `hash of ${name}`,
        trusted: true,
        listed: true,
      }),
    ),
  );
  return { version: 1, tools, byAlias: new Map(tools.map((tool) => [tool.alias, tool])), quarantined: [] };
}
