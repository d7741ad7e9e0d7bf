import { resourceLines, templateLines } from "../../show/offer-lines.ts";
import type { ChatCommandSpec } from "./command.ts";

export const resourcesCommand: ChatCommandSpec = {
  name: "/resources",
  argument: "[server]",
  summary: "what the servers have to read, for @server:uri in a message",
  async run(argument, { session, signal, print }) {
    const of = { ...(argument === "" ? {} : { server: argument }), signal };
    const { host } = session;
    const [resources, templates] = await Promise.all([host.resources(of), host.resourceTemplates(of)]);
    const lines = [
      ...resources.flatMap(resourceLines),
      // A server that is down has said so in the other list.
      ...templates.filter(({ error }) => error === undefined).flatMap(templateLines),
    ];
    for (const line of lines.length === 0 ? ["No resources."] : lines) print(line);
    return undefined;
  },
};
