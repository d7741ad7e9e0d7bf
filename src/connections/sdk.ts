/** The MCP client SDK, as a module. */
export type Sdk = typeof import("@modelcontextprotocol/client");

let loading: Promise<Sdk> | undefined;

/** Loads the MCP client SDK once, on first use: servers are already starting while it is read. */
export function loadSdk(): Promise<Sdk> {
  loading ??= import("@modelcontextprotocol/client");
  return loading;
}
