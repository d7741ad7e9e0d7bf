import { HostError } from "../errors.ts";
import type { CatalogTool, ToolRoute, ToolSnapshot } from "../types/tool.ts";

/**
 * The tool of a server by its raw name.
 * @throws HostError `call_unknown_tool`, which says why a tool that is there is kept back
 */
export function findTool({ tools, quarantined }: ToolSnapshot, { server, tool }: ToolRoute): CatalogTool {
  const found = tools.find(({ route }) => route.server === server && route.tool === tool);
  if (found !== undefined) return found;
  const name = `${server}/${tool}`;
  const kept = quarantined.find((one) => one.server === server && one.tool === tool);
  throw new HostError(
    "call_unknown_tool",
    kept === undefined
      ? `There is no tool ${name}. \`host.tools()\` lists what there is.`
      : `The tool ${name} is kept back: ${kept.reason}.`,
  );
}
