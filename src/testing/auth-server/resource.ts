import { isObject } from "../../util/own.ts";
import { checkProof } from "./proof.ts";
import type { FakeAuthState } from "./state.ts";

/** An answer of the protected MCP server. */
export interface ResourceAnswer {
  readonly status: number;
  readonly challenge?: string;
  /** The header `DPoP-Nonce`. */
  readonly nonce?: string;
  readonly body?: object;
}

/** What a request to the protected MCP server proves itself with. */
export interface ResourceCredentials {
  readonly authorization: string | undefined;
  readonly proof: string | undefined;
}

/** One message to the protected MCP server (2025-11-25, stateless, JSON answers). */
export function answerMessage(
  state: FakeAuthState,
  { authorization, proof }: ResourceCredentials,
  message: unknown,
): ResourceAnswer {
  if (!isObject(message)) return { status: 400 };
  const params = isObject(message.params) ? message.params : {};
  const refused = refuse(state, { authorization, proof }, String(message.method), params);
  if (refused !== null) return refused;
  if (message.id === undefined) return { status: 202 };
  const result = resultOf(state, authorization, message.method, params);
  const outcome = result === null ? { error: { code: -32601, message: "Method not found" } } : { result };
  return { status: 200, body: { jsonrpc: "2.0", id: message.id, ...outcome } };
}

function refuse(
  state: FakeAuthState,
  credentials: ResourceCredentials,
  method: string,
  { name }: Record<string, unknown>,
): ResourceAnswer | null {
  const { options, access, resource } = state;
  const scheme = options.dpop === "required" || options.dpop === "nonce" ? "DPoP" : "Bearer";
  const place =
    (options.resourceMetadata ?? "challenge") === "challenge"
      ? `, resource_metadata="${new URL("/somewhere/else", resource).href}"`
      : "";
  const operation = method === "tools/call" ? `tools/call:${String(name)}` : method;
  const scopes = [...(options.scopes?.["*"] ?? []), ...(options.scopes?.[operation] ?? [])];
  const initial = options.scopes?.["*"] ?? options.scopes?.["tools/list"] ?? [];
  const named = (list: readonly string[]) => (list.length === 0 ? "" : `, scope="${list.join(" ")}"`);
  const [, sent = "", token] = /^(Bearer|DPoP) (.+)$/.exec(credentials.authorization ?? "") ?? [];
  const issued = token === undefined ? undefined : access.get(token);
  const proven = boundTo(state, credentials, sent, token, issued?.thumbprint ?? null);
  if (typeof proven === "object")
    return { status: 401, challenge: 'DPoP error="use_dpop_nonce"', nonce: proven.nonce };
  if (issued === undefined || !proven) {
    const scope = options.silentChallenge === true ? "" : named(initial);
    const error = token === undefined ? "" : ', error="invalid_token"';
    return { status: 401, challenge: `${scheme} realm="fake"${error}${place}${scope}` };
  }
  const granted = (issued.scope ?? "").split(" ");
  if (scopes.every((scope) => granted.includes(scope))) return null;
  return { status: 403, challenge: `${scheme} error="insufficient_scope"${place}${named(scopes)}` };
}

/** Whether a token comes as it has to: a bound one with a proof of its key, any other where those are taken. */
function boundTo(
  state: FakeAuthState,
  { proof }: ResourceCredentials,
  scheme: string,
  access: string | undefined,
  thumbprint: string | null,
): boolean | { readonly nonce: string } {
  if (access === undefined) return false;
  if (thumbprint === null) return scheme === "Bearer" && ["offered", undefined].includes(state.options.dpop);
  if (scheme !== "DPoP") {
    state.breaches.push("a bound token was sent as a bearer's");
    return false;
  }
  const proven = checkProof(state, { side: "resource", method: "POST", url: state.resource, proof, access });
  if ("nonce" in proven) return proven;
  if ("problem" in proven) state.breaches.push(proven.problem);
  return "thumbprint" in proven && proven.thumbprint === thumbprint;
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
