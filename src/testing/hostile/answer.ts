import { isObject } from "../../util/own.ts";
import type { HostileError, HostileScript, HostileStep } from "./script.ts";

const methodNotFound = -32601;

/** The text of a JSON-RPC response: `result` is JSON text already, because a script may break its rules. */
const resultText = (id: unknown, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

export function errorText(id: unknown, error: HostileError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

/** What every result of the modern era carries (MCP 2026-07-28), unless the script says otherwise. */
function inEra(script: HostileScript, method: string, result: unknown): unknown {
  if (script.era !== "modern" || !isObject(result)) return result;
  const cached = method.endsWith("/list") || method === "server/discover";
  return { resultType: "complete", ...(cached ? { ttlMs: 0, cacheScope: "private" } : {}), ...result };
}

/** How a well-behaved server of the script's era answers; null when it does not know the method. */
function usualResult(script: HostileScript, method: string, params: unknown): unknown {
  const serverInfo = { name: "hostile", version: "1.0.0" };
  if (method === "initialize" && script.era === "legacy") {
    const asked =
      isObject(params) && typeof params.protocolVersion === "string" ? params.protocolVersion : "";
    const protocolVersion = asked === "" ? "2025-11-25" : asked;
    return { protocolVersion, capabilities: script.capabilities, serverInfo };
  }
  if (method === "server/discover" && script.era === "modern") {
    return { supportedVersions: ["2026-07-28"], capabilities: script.capabilities, serverInfo };
  }
  if (method === "ping") return {};
  if (method === "tools/list") return { tools: [] };
  if (method === "tools/call") return { content: [{ type: "text", text: "ok" }] };
  return null;
}

/** The answer that a step itself gives to a request, as JSON-RPC text; null when it leaves that to the usual one. */
export function ownAnswer(
  script: HostileScript,
  step: HostileStep,
  method: string,
  id: unknown,
  turn: number,
): string | null {
  const listed = step.results?.[Math.min(turn, step.results.length - 1)];
  const result = listed ?? step.result ?? step.rpcResult;
  const error = step.error ?? (isObject(result) ? result.jsonrpcError : undefined);
  if (isObject(error)) return errorText(id, error as unknown as HostileError);
  const raw =
    step.rawJson ?? (isObject(result) && typeof result.rawJson === "string" ? result.rawJson : undefined);
  if (raw !== undefined) return resultText(id, raw);
  if (result === undefined || result === "init") return null;
  return resultText(id, JSON.stringify(inEra(script, method, result)));
}

/** The answer to a request that no step answers. */
export function usualAnswer(script: HostileScript, method: string, params: unknown, id: unknown): string {
  const result = usualResult(script, method, params);
  if (result === null) return errorText(id, { code: methodNotFound, message: `Method not found: ${method}` });
  return resultText(id, JSON.stringify(inEra(script, method, result)));
}

/** A result with one text, for what the server has to tell. */
export function textAnswer(script: HostileScript, id: unknown, text: string): string {
  const result = { content: [{ type: "text", text }] };
  return resultText(id, JSON.stringify(inEra(script, "tools/call", result)));
}

export function resultAnswer(script: HostileScript, method: string, id: unknown, result: unknown): string {
  return resultText(id, JSON.stringify(inEra(script, method, result)));
}
