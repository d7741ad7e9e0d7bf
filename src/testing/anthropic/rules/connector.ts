import { firstRefusal, objectsOf, type Rule, type WireObject } from "./request-view.ts";

/** Rule 37: a server that the API is to connect to has an address with TLS. */
export const connectorAddresses: Rule = (request) =>
  firstRefusal(objectsOf(request.mcp_servers), (server, index) =>
    String(server.url).startsWith("https://")
      ? null
      : `mcp_servers.${index}.url: URL scheme should be 'https'`,
  );

/** Rule 37: every such server is used by exactly one toolset. */
export const connectorReferences: Rule = (request) => {
  const used = toolsets(request);
  return firstRefusal(objectsOf(request.mcp_servers), ({ name }, index) => {
    const found = used.filter((server) => server === name).length;
    return found === 1
      ? null
      : `mcp_servers.${index}: MCP server '${name}' must be referenced by exactly one mcp_toolset in tools. Found ${found}.`;
  });
};

/** Rule 37: a toolset names a server of the request. */
export const connectorServers: Rule = (request) => {
  const names = objectsOf(request.mcp_servers).map(({ name }) => name);
  return firstRefusal(toolsets(request), (server) =>
    names.includes(server) ? null : `tools: MCP server '${server}' not found in mcp_servers`,
  );
};

function toolsets(request: WireObject): unknown[] {
  return objectsOf(request.tools)
    .filter(({ type }) => type === "mcp_toolset")
    .map(({ mcp_server_name: name }) => name);
}
