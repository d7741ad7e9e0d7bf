import { HostError } from "../errors.ts";
import type { PolicyExplanation, RunReads } from "../types/policy.ts";
import type { CallResolver } from "../types/ports.ts";
import type { CatalogTool, QuarantinedTool, ToolCall, ToolRoute } from "../types/tool.ts";
import { argumentsText } from "./direct-call.ts";
import { type HostParts, openCatalog } from "./parts.ts";
import { settled } from "./ready.ts";

/**
 * Which rule would decide a call of the model, and why. Tools that are kept from the model are known here too.
 * Rejects with `call_unknown_tool`, and with `input_invalid` for arguments that do not fit the tool's schema.
 */
export async function explainCall(
  parts: HostParts,
  route: ToolRoute,
  args: Readonly<Record<string, unknown>>,
  reads: RunReads | undefined,
  signal: AbortSignal,
): Promise<PolicyExplanation> {
  await settled(parts, signal, route.server);
  const all: HostParts = { ...parts, keptBack: () => null };
  const snapshot = await openCatalog(all, null).snapshot(signal);
  const tool = snapshot.tools.find((each) => sameRoute(each.route, route));
  if (tool === undefined) throw unknownTool(route, snapshot.quarantined);
  const call = await callOf(parts.resolver, tool, args);
  const { principal, consent } = parts;
  return consent.explain(call, { principal, ...(reads === undefined ? {} : { reads }) });
}

/** A call of the tool as a model would propose it. Rejects with `input_invalid` for arguments that do not fit. */
export async function callOf(
  resolver: CallResolver,
  tool: CatalogTool,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolCall> {
  const { alias } = tool;
  const block = { type: "tool_call", id: "call_1", name: alias, input: argumentsText(args) } as const;
  const only = { version: 1, tools: [tool], byAlias: new Map([[alias, tool]]), quarantined: [] };
  const resolved = await resolver.resolve(block, only);
  if (resolved.type === "rejected") throw new HostError("input_invalid", resolved.rejected.message);
  return resolved.call;
}

function sameRoute(a: ToolRoute, b: ToolRoute): boolean {
  return a.server === b.server && a.tool === b.tool;
}

function unknownTool(route: ToolRoute, quarantined: readonly QuarantinedTool[]): HostError {
  const name = `${route.server}/${route.tool}`;
  const kept = quarantined.find((each) => sameRoute(each, route));
  return new HostError(
    "call_unknown_tool",
    kept === undefined
      ? `There is no tool ${name}. \`host.tools()\` lists what there is.`
      : `The tool ${name} is kept back: ${kept.reason}.`,
  );
}
