import { visibleLine } from "../../../util/visible.ts";
import { trustCommand } from "../../settings/server-lines.ts";
import { serverLine } from "../../show/render-events.ts";
import type { ChatCommandSpec } from "./command.ts";

/** What somebody without servers can type. */
export const noServersLines: readonly string[] = [
  "No servers: the model has no tools. To get some, leave (Ctrl-D) and type",
  '  drawbridge import    or    drawbridge chat --server "npx -y SERVER"',
];

/** That a server is not started, and the line to type. */
export function waitingLine(id: string): string {
  return `! server ${visibleLine(id)}: not started, it waits for your agreement: ${trustCommand(id)}`;
}

export const serversCommand: ChatCommandSpec = {
  name: "/servers",
  summary: "the servers and their state",
  run(_argument, { session, paint, print }) {
    const statuses = session.host.status();
    const { waiting } = session;
    if (statuses.length + waiting.length === 0) for (const line of noServersLines) print(line);
    for (const status of statuses) {
      print(serverLine(status, paint) ?? paint("dim", `  server ${visibleLine(status.server)}: starting`));
    }
    for (const id of waiting) print(paint("yellow", waitingLine(id)));
    return undefined;
  },
};
