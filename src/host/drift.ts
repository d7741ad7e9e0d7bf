import { definitionChanges } from "../consent/definition-changes.ts";
import { HostError } from "../errors.ts";
import type { DriftOptions, HostDrift, ServerDrift, ToolDrift } from "../types/drift.ts";
import type { ServerToolList } from "../types/tool.ts";
import type { DefinitionDifference } from "./definition-review.ts";
import type { HostParts, WithSignal } from "./parts.ts";
import { settled } from "./ready.ts";

/** What changed of a host's tools, and taking it as it is. */
export function createHostDrift(parts: HostParts, withSignal: WithSignal): HostDrift {
  const { connections, definitions } = parts;

  async function listsOf({ server }: DriftOptions, signal: AbortSignal): Promise<readonly ServerToolList[]> {
    await settled(parts, signal, server);
    const lists = await connections.lists(signal);
    const wanted = lists.filter((list) => server === undefined || list.server === server);
    if (server !== undefined && wanted.length === 0) throw unknownServer(server);
    await definitions.look(wanted, null);
    return wanted;
  }

  function review(list: ServerToolList): ServerDrift {
    const { pinnedAt, problem, differences } = definitions.review(list);
    return {
      ...{ server: list.server, drift: definitions.isBlocking(list.server) ? "block" : "ask" },
      ...(pinnedAt === null ? {} : { pinnedAt }),
      ...(problem === null ? {} : { problem }),
      tools: differences.map(toolDrift),
    };
  }

  return {
    drift: (options = {}) =>
      withSignal(options.signal, async (signal) => (await listsOf(options, signal)).map(review)),
    acceptDrift: (server, { signal, reviewed: seen } = {}) =>
      withSignal(signal, async (linked) => {
        const [list] = await listsOf({ server }, linked);
        if (list === undefined) throw unknownServer(server);
        const reviewed = review(list);
        if (seen !== undefined && !isSame(seen, reviewed)) throw changedMeanwhile(server);
        await definitions.pin(list);
        return reviewed;
      }),
  };
}

function toolDrift({ tool, before, now }: DefinitionDifference): ToolDrift {
  const type = before === null ? "added" : now === null ? "removed" : "changed";
  const known = before?.definition ?? null;
  const unknown = ["What it was is not known any more."];
  return {
    tool,
    type,
    ...(now === null ? {} : { definitionHash: now.definitionHash }),
    ...(before === null || before.at === "" ? {} : { since: before.at }),
    differences:
      type !== "changed" || now === null
        ? []
        : known === null
          ? unknown
          : definitionChanges(known, now.definition),
  };
}

/** Texts of differences are cut; hashes are not. */
function isSame(one: ServerDrift, other: ServerDrift): boolean {
  const textOf = ({ tools }: ServerDrift) =>
    JSON.stringify(tools.map((tool) => [tool.tool, tool.definitionHash]));
  return one.server === other.server && textOf(one) === textOf(other);
}

function changedMeanwhile(server: string): HostError {
  return new HostError(
    "input_invalid",
    `The tools of server "${server}" changed after they were looked at, so nothing was accepted: look again.`,
  );
}

function unknownServer(server: string): HostError {
  return new HostError(
    "server_unknown",
    `There is no server "${server}" that is up. \`host.status()\` says how the servers are.`,
  );
}
