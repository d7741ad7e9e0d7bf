import { visibleLine } from "../../../util/visible.ts";
import { serverLine } from "../../show/render-events.ts";
import type { ChatCommandSpec } from "./command.ts";

/** What somebody without servers can type. */
export const noServersLines: readonly string[] = [
  "No servers: the model has no tools. To get some, leave (Ctrl-D) and type",
  '  drawbridge import    or    drawbridge chat --server "npx -y SERVER"',
];

export const serversCommand: ChatCommandSpec = {
  name: "/servers",
  summary: "the servers and their state",
  run(_argument, { session, paint, print }) {
    const statuses = session.host.status();
    if (statuses.length === 0) for (const line of noServersLines) print(line);
    for (const status of statuses) {
      print(serverLine(status, paint) ?? paint("dim", `  server ${visibleLine(status.server)}: starting`));
    }
    return undefined;
  },
};
