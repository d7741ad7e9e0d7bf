import type { FoundServer, FoundServers, ServerSource } from "../../types/found-servers.ts";
import { visibleLine } from "../../util/visible.ts";
import type { Paint } from "../terminal/paint.ts";
import { count } from "../terminal/units.ts";

/** Every server with its files, what would be written, and what could not be carried over. */
export function foundLines({ servers }: FoundServers, paint: Paint): string[] {
  if (servers.length === 0) return ["No servers were found in the files of other hosts."];
  return servers.flatMap((server) => [
    paint("bold", visibleLine(server.id)),
    ...server.sources.map((source) => `  ${paint("dim", sourceText(source))}`),
    ...configLines(server, paint),
    ...server.notes.map((note) => `  ${paint("yellow", "!")} ${visibleLine(note)}`),
  ]);
}

function sourceText({ host, file, project }: ServerSource): string {
  const inProject = project === undefined ? "" : ` (project ${visibleLine(project)})`;
  return `${host}: ${visibleLine(file)}${inProject}`;
}

function configLines({ config, blocked }: FoundServer, paint: Paint): string[] {
  if (config !== undefined) return [`  ${visibleLine(JSON.stringify(config))}`];
  return [`  ${paint("red", "✗")} Cannot be imported. ${visibleLine(blocked ?? "")}`.trimEnd()];
}

/** The files that could not be read. */
export function problemLines({ problems }: FoundServers, paint: Paint): string[] {
  return problems.map((problem) => paint("yellow", `! ${visibleLine(problem)}`));
}

export interface WrittenIds {
  readonly added: readonly string[];
  readonly replaced: readonly string[];
  readonly unchanged: readonly string[];
}

/** What was done with the file, and what comes next. */
export function addedLines(
  file: string,
  { added, replaced, unchanged }: WrittenIds,
  { dryRun, project }: { readonly dryRun: boolean; readonly project: boolean },
): string[] {
  const written = added.length + replaced.length;
  const list = (ids: readonly string[]) => ids.map(visibleLine).join(", ");
  const verb = dryRun ? "would be written" : written === 1 ? "was written" : "were written";
  return [
    "",
    ...(written === 0
      ? []
      : [`${count(written, "server")} ${verb} to ${visibleLine(file)}: ${list([...replaced, ...added])}`]),
    ...(unchanged.length === 0 ? [] : [`There already, unchanged: ${list(unchanged)}`]),
    ...(dryRun || written === 0 ? [] : nextLines(project)),
  ];
}

function nextLines(project: boolean): string[] {
  const pending = ["Servers of a project's file are pending until you agreed: drawbridge trust ID"];
  return [...(project ? pending : []), "See whether they start: drawbridge doctor"];
}

/** The servers of the project's own files that were not written, and how each can be. */
export function leftOutLines(left: readonly FoundServer[]): string[] {
  if (left.length === 0) return [];
  return [
    "Left out, because the project's own files name them, and from your file they would start without a question:",
    ...left.map(
      ({ id, sources }) =>
        `  ${visibleLine(id)}: ${sources.some(({ file }) => isReadHere(file)) ? "Drawbridge reads this file by itself" : "only with --id or --project"}`,
    ),
  ];
}

/** A project's `.mcp.json` is a config file of Drawbridge, too. */
function isReadHere(file: string): boolean {
  return /(?:^|[\\/])\.mcp\.json$/.test(file);
}
