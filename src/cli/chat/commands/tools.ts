import { HostError } from "../../../errors.ts";
import { didYouMean } from "../../../util/closest.ts";
import { visibleLine } from "../../../util/visible.ts";
import { toolLines } from "../../commands/tools.ts";
import { behindSearchText } from "../../show/behind-search.ts";
import { warningLines } from "../../show/drift-lines.ts";
import type { ChatCommandSpec } from "./command.ts";
import { noServersLines } from "./servers.ts";

export const toolsCommand: ChatCommandSpec = {
  name: "/tools",
  argument: "[server]",
  summary: "the tools, or those of one server",
  async run(argument, { session, columns, signal, print }) {
    const ids = session.host.status().map((status) => status.server);
    if (argument !== "" && !ids.includes(argument)) {
      const name = visibleLine(argument);
      throw new HostError("server_unknown", `There is no server ${name}.${didYouMean(argument, ids)}`);
    }
    const snapshot = await session.host.tools({ signal });
    session.tools = snapshot;
    const ofServer = (server: string) => argument === "" || server === argument;
    const shown = {
      ...snapshot,
      tools: snapshot.tools.filter((tool) => ofServer(tool.route.server)),
      quarantined: snapshot.quarantined.filter((tool) => ofServer(tool.server)),
    };
    for (const line of toolLines(shown, columns)) print(visibleLine(line));
    for (const line of warningLines(snapshot)) print(line);
    const { behindSearch } = snapshot;
    if (behindSearch !== undefined) print(behindSearchText(behindSearch.tools.length, behindSearch.reason));
    if (ids.length === 0) for (const line of noServersLines) print(line);
    return undefined;
  },
};
