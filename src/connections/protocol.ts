/** Names and numbers of the MCP wire that are needed before the SDK is loaded. */

/** How the SDK and the host name the two kinds of protocol revisions. */
export type Era = "modern" | "legacy";

/** Revisions without a handshake, newest first (MCP 2026-07-28). */
export const modernVersions: readonly [newest: string, ...string[]] = ["2026-07-28"];

/** Revisions that begin with `initialize`, newest first. */
export const legacyVersions: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

/** The versions that a server offers where the host speaks none of them; null where it speaks one, or none is named. */
export function foreignVersions(offered: unknown): readonly string[] | null {
  const named: readonly string[] = Array.isArray(offered)
    ? offered.filter((one) => typeof one === "string")
    : [];
  const isKnown = named.some((one) => modernVersions.includes(one) || legacyVersions.includes(one));
  return named.length === 0 || isKnown ? null : named;
}

export const unsupportedVersion = -32_022;

export const protocolVersionKey = "io.modelcontextprotocol/protocolVersion";
export const clientInfoKey = "io.modelcontextprotocol/clientInfo";
export const logLevelKey = "io.modelcontextprotocol/logLevel";
export const clientCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/** MCP Tasks extension, of modern revisions: the server may answer a call with a task. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** What `initialize` may say of the client: extensions belong to modern revisions. */
export function legacyCapabilities<C extends Readonly<Record<string, unknown>>>(
  capabilities: C,
): Omit<C, "extensions"> {
  const { extensions: _, ...legacy } = capabilities;
  return legacy;
}

/** Codes of JSON-RPC 2.0, section 5.1. */
export const invalidRequest = -32600;
export const methodNotFound = -32601;
export const invalidParams = -32602;
export const internalError = -32603;

/** MCP 2025-11-25: the person has to open something first. */
export const urlElicitationRequired = -32042;

/** The host as it names itself to servers (MCP `Implementation`). */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

/** A JSON-RPC error whose members have their types. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}
