import type { Agreement, ConfiguredServer, Setting } from "../../types/settings.ts";
import { shellName } from "../../util/shell-word.ts";
import { visibleLine } from "../../util/visible.ts";
import { markedRows } from "../terminal/marked-rows.ts";
import type { Paint } from "../terminal/paint.ts";
import { resolvedVersion, unpinnedPackage } from "./package.ts";
import { originText, shownValue, targetText } from "./written.ts";

/**
 * Everything a person needs to know before a server is started for the first time: the whole command or URL, where it
 * runs, what it is given, where that is written. Escaped, nothing cut; names of variables, never their values.
 */
export function serverLines(server: ConfiguredServer, paint: Paint, columns: number): string[] {
  const { written, config, variables } = server;
  const rows: (readonly [string, string])[] = [["written in", originText(server.origin)]];
  if ("command" in written) {
    rows.push(["command", targetText(written)]);
    // What it becomes is shown beside what is written: the folder is not in the file.
    const cwd = "command" in config ? config.cwd : undefined;
    if (cwd !== undefined) rows.push(["runs in", visibleLine(cwd)]);
    for (const [name, value] of Object.entries(written.env ?? {}))
      rows.push(["environment", `${visibleLine(name)}=${shownValue(name, value)}`]);
  } else if ("url" in written) {
    rows.push(["url", targetText(written)]);
    for (const [name, value] of Object.entries(written.headers ?? {}))
      rows.push(["header", `${visibleLine(name)}: ${shownValue(name, value)}`]);
    // Secrets stand here as the variables that hold them.
    for (const [name, value] of Object.entries(written.auth ?? {}))
      rows.push(["auth", `${visibleLine(name)}: ${visibleLine(JSON.stringify(value))}`]);
  }
  for (const { name, place, from } of variables) {
    const source = from === "default" ? "its default, as it is not set" : "your environment";
    rows.push(["gets", `${visibleLine(`\${${name}}`)} from ${source}, into its ${visibleLine(place)}`]);
  }
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    paint("bold", `Server ${visibleLine(JSON.stringify(server.id))}`),
    // What goes on is marked: nothing that a file writes can look like a row of its own.
    ...rows.map(([label, text]) => markedRows(`  ${paint("dim", label.padEnd(width))}  ${text}`, columns)),
  ];
}

/** What an unpinned package is at this moment; no line when nothing is fetched, or always the same. */
export async function packageLine(
  server: ConfiguredServer,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const wanted = "command" in server.config ? unpinnedPackage(server.config) : null;
  if (wanted === null) return undefined;
  if (wanted.from === "elsewhere") {
    return `  ! No version is fixed: each start runs what ${visibleLine(wanted.name)} holds then.`;
  }
  const version = await resolvedVersion(wanted, signal);
  const name = `${visibleLine(wanted.name)}${wanted.version === undefined ? "" : `@${visibleLine(wanted.version)}`}`;
  const now = version === null ? "which could not be found out" : `now ${version}`;
  return `  ! No version is fixed: each start takes what ${name} is then (${now}). ${pinAdvice(wanted.name, version)}`;
}

function pinAdvice(name: string, version: string | null): string {
  return `To fix it: ${visibleLine(name)}@${version ?? "VERSION"}`;
}

/** That the person agreed to something else before, or undefined. */
export function changedLine(server: ConfiguredServer, agreements: readonly Agreement[]): string | undefined {
  const old = agreements.findLast((agreement) => agreement.server === server.id);
  if (old === undefined || old.configHash === server.configHash) return undefined;
  const { origin } = server;
  const elsewhere =
    (origin.type === "project" || origin.type === "user") && origin.file !== old.file
      ? `of ${visibleLine(old.file)}, which is another file`
      : "of this file, and it has changed since";
  return `  ! On ${visibleLine(old.agreedAt.slice(0, 10))} you agreed to a server ${visibleLine(JSON.stringify(server.id))} ${elsewhere}.`;
}

/** What the person wrote for a server of this id, which will hold for this one; undefined when there is nothing. */
export function heldLine(
  rules: readonly Setting<string>[],
  trust: Setting<string> | undefined,
): string | undefined {
  const held = [
    ...rules.map(({ value, origin }) => `${visibleLine(value)} (${originText(origin)})`),
    ...(trust === undefined ? [] : [`its annotations are believed (${originText(trust.origin)})`]),
  ];
  return held.length === 0 ? undefined : `  ! What you wrote for this id holds for it: ${held.join("; ")}.`;
}

/** The line to type to see what a pending server would start, and to agree. */
export function trustCommand(id: string, ...options: readonly string[]): string {
  return `drawbridge trust ${[...options, shellName(id)].join(" ")}`;
}
