import type { ServerDrift, ToolDrift } from "../../types/drift.ts";
import type { CatalogWarning, ToolSnapshot } from "../../types/tool.ts";
import { visibleLine } from "../../util/visible.ts";

/** What is odd about tools and servers, one a line, escaped. */
export function warningLines({ warnings = [] }: Pick<ToolSnapshot, "warnings">): string[] {
  return warnings.map(warningText);
}

function warningText({ server, tool, reason }: CatalogWarning): string {
  return visibleLine(`${tool === undefined ? server : `${server}/${tool}`}: ${reason}`);
}

/** How the tools of one server differ from what they were, and what they are pinned as; none where there is nothing to say. */
export function driftLines(drift: ServerDrift): string[] {
  const { server, pinnedAt, problem, tools } = drift;
  const name = visibleLine(server);
  const pinned = pinnedAt === undefined ? [] : [`${name}  pinned on ${visibleLine(pinnedAt.slice(0, 10))}`];
  if (problem !== undefined) return [`${name}  ! ${visibleLine(problem)}`];
  return [...pinned, ...tools.flatMap((tool) => toolDriftLines(server, tool))];
}

/** The tools of a server that are not what they were, one a line, without what is different about them. */
export function changedLines(drift: ServerDrift | null): string[] {
  return (drift?.tools ?? []).flatMap((tool) => toolDriftLines(drift?.server ?? "", tool).slice(0, 1));
}

const verbs = { changed: "changed since", added: "new", removed: "gone since" } as const;

/** One tool, and what is different about it. */
export function toolDriftLines(server: string, { tool, type, since, differences }: ToolDrift): string[] {
  const day = since === undefined || type === "added" ? "" : ` ${since.slice(0, 10)}`;
  const verb = day === "" ? verbs[type].replace(" since", "") : verbs[type];
  return [
    visibleLine(`${server}/${tool}  ${verb}${day}`),
    ...differences.map((text) => `    ${visibleLine(text)}`),
  ];
}
