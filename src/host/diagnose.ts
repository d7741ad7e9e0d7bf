import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readEnvironment } from "../config/environment.ts";
import { stateFolder } from "../config/state-folder.ts";
import { toHostError } from "../errors.ts";
import { auditPaths } from "../stores/audit-opening.ts";
import { verifyAudit } from "../stores/verify.ts";
import type { HostOptions } from "../types/config.ts";
import { systemClock } from "../util/clock.ts";
import { version } from "../version.ts";
import { findLocalModels, type LocalModels, usualLocalServers } from "./diagnose/local-models.ts";
import { type ClockFacts, clockFacts, type StateFacts, stateFacts } from "./diagnose/machine.ts";
import { diagnoseModel, type ModelDiagnosis } from "./diagnose/model.ts";
import { diagnoseServers, type ServersDiagnosis } from "./diagnose/servers.ts";

export interface DiagnoseOptions {
  /** The servers to start. */
  readonly servers: HostOptions["servers"];
  readonly limits?: HostOptions["limits"];
  /** Rules that are looked at with what the servers have. Default: none. */
  readonly policy?: HostOptions["policy"];
  /** The model that would answer, and that tools are counted for. Default: that of `createHost`, and none. */
  readonly model?: string;
  /** Those that are asked when it refuses. Default: none. */
  readonly fallbackModels?: readonly string[];
  /** The state folder. Default: the one of `createHost`. */
  readonly state?: string;
  readonly signal?: AbortSignal;
  /** Told several times a second which servers did not answer yet. */
  readonly onWaiting?: (servers: readonly string[]) => void;
  /** Programs that may serve models on this computer. Default: the usual ones at their usual ports. */
  readonly localServers?: readonly { readonly name: string; readonly url: string }[];
}

/** Everything that decides whether a host works on this computer. */
export interface Diagnosis extends ServersDiagnosis {
  readonly version: string;
  readonly node: { readonly version: string; readonly supported: boolean };
  readonly state: StateFacts;
  readonly clock: ClockFacts;
  /** Variables that hold a key of a model's API. Never a value. */
  readonly keys: readonly { readonly variable: string; readonly set: boolean }[];
  readonly localModels: readonly LocalModels[];
  readonly model: ModelDiagnosis;
  readonly audit: AuditFacts;
}

/** What is known of the audit log without reading it for long. */
export interface AuditFacts {
  readonly files: number;
  readonly bytes: number;
  /** Whether it is as it was written; null when it is too long to be checked on the way. */
  readonly ok: boolean | null;
  readonly problem: string | null;
}

const keyVariables = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"];
const oldestNode = [20, 19] as const;
/** A longer log is checked by the command for it. */
const mostAuditBytes = 64 * 1024 * 1024;

/** Looks at everything, the servers and the models beside each other. Rejects with `aborted` alone. */
export async function diagnose(options: DiagnoseOptions): Promise<Diagnosis> {
  const environment = readEnvironment();
  const folder = options.state ?? stateFolder(environment);
  const { signal, limits, policy, model, fallbackModels, onWaiting = () => {} } = options;
  const state = await stateFacts(folder);
  // A folder that cannot be written is told as that, and not once more by every server.
  const kept = state.problem === null ? folder : false;
  const [servers, localModels, answering, clock, audit] = await Promise.all([
    diagnoseServers(
      {
        ...{ servers: options.servers, state: kept },
        ...(limits === undefined ? {} : { limits }),
        ...(policy === undefined ? {} : { policy }),
      },
      model,
      signal,
      onWaiting,
    ),
    findLocalModels(options.localServers ?? usualLocalServers, signal),
    diagnoseModel({
      ...(model === undefined ? {} : { model }),
      ...(fallbackModels === undefined ? {} : { fallbackModels }),
    }),
    clockFacts(folder, systemClock.wall()),
    auditFacts(folder),
  ]);
  return {
    version,
    node: { version: process.versions.node, supported: isSupported(process.versions.node) },
    state,
    clock,
    keys: keyVariables.map((variable) => ({ variable, set: (environment[variable] ?? "").trim() !== "" })),
    localModels,
    model: answering,
    audit,
    ...servers,
  };
}

function isSupported(node: string): boolean {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

async function auditFacts(folder: string): Promise<AuditFacts> {
  const { logs } = auditPaths(folder);
  const names = (await readdir(logs).catch(() => [])).filter((name) => name.endsWith(".jsonl"));
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(logs, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const facts = { files: names.length, bytes };
  if (bytes > mostAuditBytes) return { ...facts, ok: null, problem: null };
  try {
    const report = await verifyAudit(folder);
    const bad = report.files.find((file) => !file.ok);
    return {
      ...facts,
      ok: report.ok,
      problem: bad === undefined ? null : `${bad.path}: ${bad.problem ?? ""}`,
    };
  } catch (thrown) {
    return { ...facts, ok: false, problem: toHostError(thrown).message };
  }
}
