import { dirname } from "node:path";
import type { ConfiguredServer } from "../../types/settings.ts";
import { compareCodeUnits } from "../../util/stable-json.ts";
import type { Environment } from "../environment.ts";
import { defaultLimits } from "../limits.ts";
import type { Report, SettingsDocument } from "./document.ts";
import { nameOf } from "./name.ts";
import { originIn } from "./origin.ts";
import type { FileSettings } from "./read-settings.ts";
import { resolveServer } from "./resolve-server.ts";
import type { EntrySettings, ServerEntry, ServerTarget } from "./server-entry.ts";

/** What variables of servers stand for, besides the environment. */
export interface Surroundings {
  readonly environment: Environment;
  readonly cwd: string;
  readonly userHome: string;
  /** The hard limit of a call that holds without servers' own, milliseconds. */
  readonly callHardMs: number;
}

/** A merged server before anybody was asked about it. */
export type MergedServer = Omit<ConfiguredServer, "pending" | "configHash"> & {
  readonly scope: SettingsDocument["scope"];
};

/** Entries of one id, put together. */
interface Layers {
  /** The entry with the command or URL. */
  readonly base: (ServerEntry & { readonly target: ServerTarget }) | null;
  readonly last: ServerEntry;
  readonly settings: EntrySettings;
}

/** The servers of all files, ordered by id: an entry replaces one of less weight, or adds its keys to it. */
export function mergeServers(
  files: readonly FileSettings[],
  surroundings: Surroundings,
  report: Report,
): readonly MergedServer[] {
  const byId = new Map<string, Layers>();
  for (const entry of files.flatMap((file) => file.servers)) {
    checkTimeout(entry, surroundings, report);
    const { target } = entry;
    const before = byId.get(entry.id);
    // What a project made stricter stays so, whatever a file of more weight says of the server.
    const settings: EntrySettings = {
      ...entry.settings,
      ...(before?.settings.drift === "block" ? { drift: "block" } : {}),
      ...(before?.settings.private === true ? { private: true } : {}),
    };
    byId.set(
      entry.id,
      target === null
        ? { base: before?.base ?? null, last: entry, settings: { ...before?.settings, ...settings } }
        : { base: { ...entry, target }, last: entry, settings },
    );
  }
  return [...byId.values()]
    .flatMap((layers) => mergedServer(layers, surroundings, report))
    .sort((a, b) => compareCodeUnits(a.id, b.id));
}

function mergedServer(
  { base, last, settings }: Layers,
  surroundings: Surroundings,
  report: Report,
): MergedServer[] {
  const { id } = last;
  if (base === null) {
    // Turning off a server that is not there is no mistake: one file may serve many projects.
    if (settings.disabled !== true) {
      const place = last.document.placeOf(last.offset);
      report.problems.push(
        `${place}: ${nameOf(["mcpServers", id])} has neither command nor url, and no file of less weight has this server.`,
      );
    }
    return [];
  }
  const { document, target } = base;
  const { environment, cwd, userHome } = surroundings;
  const workspaceFolder = document.scope === "project" ? dirname(document.path) : cwd;
  const { problem, ...resolved } = resolveServer(id, document, target, settings, {
    environment,
    workspaceFolder,
    userHome,
  });
  const disabled = settings.disabled === true;
  return [
    {
      id,
      ...resolved,
      origin: originIn(document, base.offset),
      scope: document.scope,
      disabled,
      ...(problem === undefined || disabled ? {} : { problem }),
    },
  ];
}

/** A project's file may not give its server longer than a call may take anyway. */
function checkTimeout(
  { id, document, settings }: ServerEntry,
  { callHardMs }: Surroundings,
  report: Report,
): void {
  const most = Math.max(callHardMs, defaultLimits.callHardMs);
  if (document.scope !== "project" || settings.timeout === undefined || settings.timeout.value <= most)
    return;
  report.problems.push(
    `${document.placeOf(settings.timeout.offset)}: ${nameOf(["mcpServers", id, "timeout"])} may be at most ${most} in a project's file, as limits.callHardMs is.`,
  );
}
