import type { Json } from "../types/json.ts";
import type { CatalogTool, ServerTool, ServerToolList } from "../types/tool.ts";
import { deepFreeze } from "../util/freeze.ts";
import { sha256Hex } from "../util/hash.ts";
import { stableJson } from "../util/stable-json.ts";
import { aliasOf } from "./names.ts";

const hashes = new WeakMap<ServerTool, string>();

/** sha-256 over every part of a definition that a person or a model relies on: a change of any of them is drift. */
function definitionHash(tool: ServerTool): string {
  const known = hashes.get(tool);
  if (known !== undefined) return known;
  const whole: Json = {
    name: tool.name,
    title: tool.title ?? null,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema ?? null,
    annotations: { ...tool.annotations },
  };
  // Approvers and programs are handed the definition: its hash would not show what they do to it.
  deepFreeze(tool);
  const hash = sha256Hex(stableJson(whole));
  hashes.set(tool, hash);
  return hash;
}

/** A server's tool as the catalog holds it. */
export function catalogTool(list: ServerToolList, tool: ServerTool): CatalogTool {
  // Shared by everybody who is asked or told about the tool: nobody may change it.
  return Object.freeze({
    alias: aliasOf(list.server, tool.name),
    route: Object.freeze({ server: list.server, tool: tool.name }),
    definition: tool,
    definitionHash: definitionHash(tool),
    configHash: list.configHash,
    trusted: list.trusted,
    listed: true,
  });
}
