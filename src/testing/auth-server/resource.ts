import { isObject } from "../../util/own.ts";
import type { FakeAuthState } from "./state.ts";

/** An answer of the protected MCP server. */
export interface ResourceAnswer {
  readonly status: number;
  readonly challenge?: string;
  readonly body?: object;
}

/** One message to the protected MCP server (2025-11-25, stateless, JSON answers). */
export function answerMessage(
  state: FakeAuthState,
  authorization: string | undefined,
  message: unknown,
): ResourceAnswer {
  if (!isObject(message)) return { status: 400 };
  const params = isObject(message.params) ? message.params : {};
  const refused = refuse(state, authorization, String(message.method), params);
  if (refused !== null) return refused;
  if (message.id === undefined) return { status: 202 };
  const result = resultOf(state, authorization, message.method, params);
  const outcome = result === null ? { error: { code: -32601, message: "Method not found" } } : { result };
  return { status: 200, body: { jsonrpc: "2.0", id: message.id, ...outcome } };
}

function refuse(
  { options, access, resource }: FakeAuthState,
  authorization: string | undefined,
  method: string,
  { name }: Record<string, unknown>,
): ResourceAnswer | null {
  const place =
    (options.resourceMetadata ?? "challenge") === "challenge"
      ? `, resource_metadata="${new URL("/somewhere/else", resource).href}"`
      : "";
  const operation = method === "tools/call" ? `tools/call:${String(name)}` : method;
  const scopes = [...(options.scopes?.["*"] ?? []), ...(options.scopes?.[operation] ?? [])];
  const initial = options.scopes?.["*"] ?? options.scopes?.["tools/list"] ?? [];
  const named = (list: readonly string[]) => (list.length === 0 ? "" : `, scope="${list.join(" ")}"`);
  const [, token] = /^Bearer (.+)$/.exec(authorization ?? "") ?? [];
  const issued = token === undefined ? undefined : access.get(token);
  if (issued === undefined) {
    const scope = options.silentChallenge === true ? "" : named(initial);
    const error = token === undefined ? "" : ', error="invalid_token"';
    return { status: 401, challenge: `Bearer realm="fake"${error}${place}${scope}` };
  }
  const granted = (issued.scope ?? "").split(" ");
  if (scopes.every((scope) => granted.includes(scope))) return null;
  return { status: 403, challenge: `Bearer error="insufficient_scope"${place}${named(scopes)}` };
}

function resultOf(
  { options }: FakeAuthState,
  authorization: string | undefined,
  method: unknown,
  { name, arguments: input }: Record<string, unknown>,
): object | null {
  const tools = options.tools ?? ["echo"];
  if (method === "initialize") {
    return {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "protected", version: "1" },
    };
  }
  if (method === "tools/list")
    return { tools: tools.map((tool) => ({ name: tool, inputSchema: { type: "object" } })) };
  if (method === "tools/call" && options.tellsToken === true)
    return { content: [{ type: "text", text: `It was ${authorization}` }] };
  if (method === "tools/call")
    return { content: [{ type: "text", text: `${name} ${JSON.stringify(input)}` }] };
  return method === "ping" ? {} : null;
}
