import type { ToolCallBlock } from "../types/message.ts";
import type { RejectedCall, ResolvedCall } from "../types/outcome.ts";
import type { CallResolver, SchemaValidator } from "../types/ports.ts";
import type { CatalogTool, ToolSnapshot } from "../types/tool.ts";
import { deepFreeze } from "../util/freeze.ts";
import { visibleLine } from "../util/visible.ts";
import { meantCall } from "./found-call.ts";
import { nearestNames } from "./nearest-names.ts";
import { parseArguments } from "./parse-arguments.ts";

/** Turns what the model proposed into calls: by the snapshot it saw, strictly parsed, valid for the tool's own schema. */
export function createCallResolver(validator: SchemaValidator): CallResolver {
  return {
    async resolve(called, snapshot) {
      const meant = meantCall(called);
      if (!meant.ok) return reject(called, invalid(meant.problem));
      const { block } = meant;
      const tool = snapshot.byAlias.get(block.name);
      if (tool === undefined) return reject(block, unknownTool(block.name, snapshot));
      if (!tool.listed) return reject(block, goneTool(tool), tool);
      return await resolveFor(block, tool, validator);
    },
  };
}

async function resolveFor(
  block: ToolCallBlock,
  tool: CatalogTool,
  validator: SchemaValidator,
): Promise<ResolvedCall> {
  const parsed = parseArguments(block.input);
  if (!parsed.ok) {
    return reject(block, invalid(`The arguments of ${tool.alias} cannot be used: ${parsed.problem}.`), tool);
  }
  const check = await validator.check(tool.definition.inputSchema, parsed.value);
  if (!check.valid) {
    const problems = check.problems.join("; ");
    return reject(block, invalid(`The arguments of ${tool.alias} do not fit its schema: ${problems}.`), tool);
  }
  const json = JSON.stringify(parsed.value);
  // Models write it just so as a rule: then the text that the transcript holds is held once.
  const argumentsJson = json === block.input ? block.input : json;
  const call = deepFreezeArguments({
    id: block.id,
    tool,
    arguments: parsed.value,
    argumentsJson,
    warnings: check.warnings,
  });
  return { type: "call", call };
}

/** The tool belongs to the catalog and is left as it is. */
function deepFreezeArguments<T extends { readonly arguments: object }>(call: T): T {
  deepFreeze(call.arguments);
  return Object.freeze(call);
}

function reject(block: ToolCallBlock, rejected: RejectedCall, tool?: CatalogTool): ResolvedCall {
  const { id: callId, name, input } = block;
  return { type: "rejected", callId, name, rejected, input, ...(tool === undefined ? {} : { tool }) };
}

function invalid(message: string): RejectedCall {
  return { code: "call_invalid", message };
}

function unknownTool(name: string, snapshot: ToolSnapshot): RejectedCall {
  const shown = visibleLine(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  const near = nearestNames(name, snapshot.tools);
  const hint = near.length > 0 ? ` The nearest names are: ${near.join(", ")}.` : "";
  return { code: "call_unknown_tool", message: `There is no tool "${shown}".${hint}` };
}

function goneTool(tool: CatalogTool): RejectedCall {
  const server = visibleLine(tool.route.server.slice(0, 80));
  return {
    code: "call_unknown_tool",
    message: `The tool ${tool.alias} is gone: its server "${server}" no longer offers it. Do not call it again.`,
  };
}
