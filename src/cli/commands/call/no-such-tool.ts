import { HostError } from "../../../errors.ts";
import type { ToolSnapshot } from "../../../types/tool.ts";
import { didYouMean } from "../../../util/closest.ts";
import { visibleLine } from "../../../util/visible.ts";
import { routeText } from "../../show/render-events.ts";

/** The error for a tool that a server does not have, or that is kept from everybody: it says what there is. */
export function noSuchTool(server: string, tool: string, { tools, quarantined }: ToolSnapshot): HostError {
  const name = routeText({ server, tool });
  const kept = quarantined.find((candidate) => candidate.server === server && candidate.tool === tool);
  if (kept !== undefined) {
    return new HostError("config_invalid", `${name} cannot be called: ${visibleLine(kept.reason)}`);
  }
  const names = tools.flatMap(({ route }) => (route.server === server ? [route.tool] : []));
  const list = names.length === 0 ? "It has none." : `It has: ${names.map(visibleLine).join(", ")}.`;
  return new HostError(
    "config_invalid",
    `There is no tool ${name}. ${list}${visibleLine(didYouMean(tool, names))}`,
  );
}
