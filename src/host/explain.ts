import { HostError } from "../errors.ts";
import type { PolicyExplanation, RunReads } from "../types/policy.ts";
import type { CallResolver } from "../types/ports.ts";
import type { CatalogTool, ToolCall, ToolRoute } from "../types/tool.ts";
import { argumentsText } from "./direct-call.ts";
import { explanationWithoutSecrets } from "./event-secrets.ts";
import { findTool } from "./find-tool.ts";
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
  const call = await callOf(parts.resolver, findTool(snapshot, route), args);
  const { principal, consent, secrets } = parts;
  const explained = consent.explain(call, { principal, ...(reads === undefined ? {} : { reads }) });
  return explanationWithoutSecrets(explained, call.arguments, secrets);
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
