import { toHostError } from "../../errors.ts";
import type { DiagnoseOptions, Diagnosis } from "../../index.ts";
import type { LoadedConfig } from "../../types/settings.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { loadSettings } from "../settings.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import { paintFor } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Fact, factLines, factsOf } from "./doctor/facts.ts";

export interface DoctorCommand {
  readonly json: boolean;
  readonly flags: HostFlags;
}

type Library = typeof import("../../index.ts");

/** Looks at everything that a host needs here, starts the servers once, and says what to do. */
export async function runDoctor(
  { flags, json }: DoctorCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const library = await import("../../index.ts");
  const { loaded, problem } = await loadOrProblem(flags, library);
  terminal.waitFor("the servers");
  const diagnosis = await library.diagnose({
    servers: startable(loaded),
    ...(loaded === null ? {} : settingsOf(loaded, library)),
    ...(loaded?.model === undefined ? {} : { model: loaded.model.value }),
    fallbackModels: (loaded?.fallbackModels ?? []).map(({ value }) => value),
    signal: interrupt.signal,
    onWaiting: (servers) => terminal.waitFor("the servers", waitingText(servers)),
  });
  terminal.waitFor(null);
  const facts = factsOf(diagnosis, loaded, problem);
  const lines = json
    ? [visibleLine(JSON.stringify(reportJson(diagnosis, loaded, problem, facts)))]
    : factLines(facts, paintFor(process.stdout));
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return interrupt.exitCode() ?? exitCodeOfFacts(facts, diagnosis, loaded);
}

/** A config that cannot be read is one more thing to tell: the rest is looked at all the same. */
async function loadOrProblem(
  flags: HostFlags,
  library: Library,
): Promise<{ readonly loaded: LoadedConfig | null; readonly problem: string | null }> {
  try {
    return { loaded: await loadSettings(flags, library, null), problem: null };
  } catch (thrown) {
    return { loaded: null, problem: toHostError(thrown).message };
  }
}

const isStarted = ({ pending, disabled, problem }: LoadedConfig["servers"][number]): boolean =>
  !pending && !disabled && problem === undefined;

function startable(loaded: LoadedConfig | null) {
  return Object.fromEntries((loaded?.servers ?? []).filter(isStarted).map(({ id, config }) => [id, config]));
}

/** Nothing is thrown for a server that has a problem: that is told as one. Rules for servers that rest are left out. */
function settingsOf(
  loaded: LoadedConfig,
  { hostOptions }: Library,
): Pick<DiagnoseOptions, "limits" | "policy"> {
  const servers = loaded.servers.map((server) => ({
    ...server,
    config: { ...server.config, required: false },
  }));
  const { limits, policy } = hostOptions({ ...loaded, servers });
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(policy === undefined ? {} : { policy }),
  };
}

function waitingText(servers: readonly string[]): string {
  return servers.length === 0 ? "" : `: ${servers.map(visibleLine).join(", ")}`;
}

function exitCodeOfFacts(facts: readonly Fact[], diagnosis: Diagnosis, loaded: LoadedConfig | null): number {
  if (diagnosis.servers.some(({ status }) => status.state === "failed")) return exitCodes.serverDown;
  // Where nobody can be asked, every other command ends with it.
  const waits = loaded?.servers.some(({ pending, config }) => pending && config.required !== false);
  if (waits) return exitCodes.serverDown;
  return facts.some(({ level }) => level === "bad") ? exitCodes.failed : exitCodes.answered;
}

function reportJson(
  diagnosis: Diagnosis,
  loaded: LoadedConfig | null,
  configProblem: string | null,
  facts: readonly Fact[],
): object {
  const waiting = (loaded?.servers ?? []).filter((server) => server.pending && !server.disabled);
  return {
    ok: facts.every(({ level }) => level !== "bad"),
    ...diagnosis,
    configFiles: loaded?.files ?? [],
    configProblem,
    configWarnings: loaded?.warnings ?? [],
    pending: waiting.map(({ id }) => id),
    disabled: (loaded?.servers ?? []).filter(({ disabled }) => disabled).map(({ id }) => id),
    facts,
  };
}
