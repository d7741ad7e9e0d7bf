import type { ServerStatus } from "../../types/events.ts";
import { visibleLine } from "../../util/visible.ts";
import { version } from "../../version.ts";
import { serverLine } from "../show/render-events.ts";
import type { Paint } from "../terminal/paint.ts";
import { count } from "../terminal/units.ts";
import { modelText } from "./commands/model.ts";
import { noServersText } from "./commands/servers.ts";
import type { Session } from "./session.ts";

/** What a chat begins with: the model, and how to learn more. */
export function firstLine(session: Session, paint: Paint): string {
  return `${paint("bold", "Drawbridge")} ${version} · model: ${modelText(session)} · /help`;
}

function stateText(status: ServerStatus): string {
  const name = visibleLine(status.server);
  if (status.state === "ready") return `${name} (${count(status.tools, "tool")})`;
  return `${name} (${status.state})`;
}

/** The servers with their state on one line; one that failed also says why. */
export function serversLines(statuses: readonly ServerStatus[], paint: Paint): string[] {
  if (statuses.length === 0) return [paint("dim", noServersText)];
  const failed = statuses.filter((status) => status.state === "failed");
  return [
    `servers: ${statuses.map(stateText).join(", ")}`,
    ...failed.flatMap((status) => serverLine(status, paint) ?? []),
  ];
}
