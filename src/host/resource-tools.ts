import type { ServerOffers } from "../types/offers.ts";
import type { CallReply } from "../types/outcome.ts";
import type { Connections, ServerCall } from "../types/ports.ts";
import type { LeftOutEntry, ServerListing } from "../types/resource.ts";
import type { ServerTool, ServerToolList } from "../types/tool.ts";
import { count, oneLine } from "../util/one-line.ts";
import { readTools } from "./read-tools.ts";

const tools: readonly ServerTool[] = [readTools["resources/list"], readTools["resources/read"]];

/** Whether it is one of the host's and no tool of the server that has the same name. */
const isOurs = (list: ServerToolList | undefined, name: string): boolean =>
  list?.tools.some((tool) => tools.includes(tool) && tool.name === name) === true;

/**
 * The same connections with two tools more for each server that has resources: to list and to read them. They are that
 * server's for rules, questions, grants and records. A tool of the server's own with such a name stays what it is.
 */
export function withResourceTools(connections: Connections): Connections {
  const extended = new WeakMap<ServerToolList, ServerToolList>();
  let last: readonly ServerToolList[] = [];

  function extend(list: ServerToolList): ServerToolList {
    if (connections.offers(list.server)?.hasResources() !== true) return list;
    const known = extended.get(list);
    if (known !== undefined) return known;
    const names = new Set(list.tools.map(({ name }) => name));
    const more = { ...list, tools: [...list.tools, ...tools.filter(({ name }) => !names.has(name))] };
    extended.set(list, more);
    return more;
  }

  /** The same array, by identity, while nothing changed. */
  function all(lists: readonly ServerToolList[]): readonly ServerToolList[] {
    const next = lists.map(extend);
    if (next.length !== last.length || next.some((list, index) => list !== last[index])) last = next;
    return last;
  }

  const current = () => all(connections.current());
  return {
    ...connections,
    lists: async (signal) => all(await connections.lists(signal)),
    current,
    async call(call) {
      const { server, tool } = call.route;
      const list = current().find((candidate) => candidate.server === server);
      const offers = isOurs(list, tool) ? connections.offers(server) : null;
      if (offers === null) return connections.call(call);
      return tool === "resources/list" ? listResources(offers, call) : readOne(offers, call);
    },
  };
}

async function readOne(offers: ServerOffers, call: ServerCall): Promise<CallReply> {
  const { reply } = await offers.read(String(call.arguments.uri), call);
  return reply;
}

async function listResources(offers: ServerOffers, { signal }: ServerCall): Promise<CallReply> {
  const [resources, templates] = await Promise.all([offers.resources(signal), offers.templates(signal)]);
  const lines = [
    ...resources.entries.map(({ uri, name, title, mimeType, size, description }) => {
      const bytes = size === undefined ? undefined : `${count(size)} bytes`;
      return lineOf(uri, [title ?? name, mimeType, bytes, description]);
    }),
    ...templates.entries.map(({ uriTemplate, name, title, mimeType, description }) =>
      lineOf(`template ${uriTemplate}`, [title ?? name, mimeType, description]),
    ),
    ...notesOf(resources),
    ...notesOf(templates),
  ];
  const text = lines.length === 0 ? "The server lists no resources." : lines.join("\n");
  const failed = resources.error !== undefined && templates.error !== undefined;
  return { content: [{ type: "text", text }], isError: failed, repairs: [] };
}

function lineOf(key: string, facts: readonly (string | undefined)[]): string {
  const said = facts.filter((fact) => fact !== undefined && fact !== "" && fact !== key);
  return said.length === 0 ? key : `${key}: ${oneLine(said.join(", "), 500)}`;
}

function notesOf({ leftOut, error }: ServerListing<unknown>): string[] {
  const note = ({ name, reason }: LeftOutEntry) => `Left out: ${oneLine(name, 100)}: ${reason}`;
  return [
    ...leftOut.map(note),
    ...(error === undefined ? [] : [`Not listed: ${oneLine(error.message, 500)}`]),
  ];
}
