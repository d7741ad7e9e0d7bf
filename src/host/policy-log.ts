import { resolve } from "node:path";
import { readEnvironment } from "../config/environment.ts";
import { stateFolder } from "../config/state-folder.ts";
import { createReplay } from "../consent/replay.ts";
import { readRules } from "../consent/settings-rules.ts";
import { HostError } from "../errors.ts";
import type { AuditRecord } from "../stores/audit-record.ts";
import { auditFilesAt, auditFilesOf, recordsOf } from "../stores/audit-replay.ts";
import type { HostOptions } from "../types/config.ts";
import type { PolicyChange } from "../types/policy.ts";
import { createPastTools } from "./past-tools.ts";
import { policyRules } from "./policy-rules.ts";

export interface PolicyLogOptions extends Pick<HostOptions, "policy"> {
  /** What is configured now: a server's `trust` and `cwd` count as they are here. Default: none is known. */
  readonly servers?: HostOptions["servers"];
  /** A file of an audit log, a folder of them, or a state folder. Default: the one of `createHost`. */
  readonly log?: string;
  /** Where definitions of tools are kept that were seen before. Default: the one of `createHost`. */
  readonly state?: string;
  /** Only calls of then or later, and before then. */
  readonly since?: Date;
  readonly until?: Date;
  /** Only calls of this server, and of its tool, by its raw name. */
  readonly server?: string;
  readonly tool?: string;
  /** Told of every call that would be decided otherwise, or may be, in the order of the log. */
  readonly onChange?: (change: PolicyLogChange) => void | Promise<void>;
  readonly signal?: AbortSignal;
}

/** Such a call, and the record of its decision. */
export interface PolicyLogChange extends PolicyChange {
  readonly file: string;
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface PolicyLogReport {
  /** Calls that were looked at. */
  readonly calls: number;
  /** Those that would be decided as they were. */
  readonly same: number;
  /** Those that would be decided otherwise. */
  readonly changed: number;
  /** Those of which the log does not say enough. */
  readonly undecided: number;
  /** Lines that are no records, and records whose hash does not match their text. */
  readonly unreadable: number;
  readonly altered: number;
  /** What is wrong with the rules without making them useless, as sentences: see `Host.policyWarnings`. */
  readonly warnings: readonly string[];
}

/**
 * Replays the calls of an audit log under a policy: which would be decided otherwise? The log is read as a stream, and
 * what is kept of it is bounded. Hints count where the definition of that time is still known.
 * @throws HostError `config_invalid` for a rule that is not valid, `input_invalid` for a log that cannot be read
 */
export async function checkPolicyLog(options: PolicyLogOptions = {}): Promise<PolicyLogReport> {
  const { policy = {}, servers = {}, log, onChange, signal } = options;
  const state = options.state ?? stateFolder(readEnvironment());
  const { rules, administratorRules = [], projectRules = [], flows = "ask" } = policyRules(policy);
  const counts = { same: 0, changed: 0, undecided: 0, unreadable: 0, altered: 0 };
  // What is not valid is told before anything is read.
  const known = options.servers === undefined ? {} : { servers: Object.keys(servers) };
  const { warnings } = readRules({ rules, administratorRules, projectRules, ...known });
  for (const path of log === undefined ? await auditFilesOf(state) : await auditFilesAt(resolve(log))) {
    const past = createPastTools({ state, servers, policy });
    const replay = createReplay(
      { rules, administratorRules, projectRules },
      { flows, toolOf: (call) => past.toolOf(call) },
    );
    let principal = "";
    for await (const record of recordsOf(path)) {
      signal?.throwIfAborted();
      if (record === null) {
        counts.unreadable += 1;
        continue;
      }
      const { entry, file, seq, at } = record;
      if (!record.intact) counts.altered += 1;
      if (entry.kind === "log_opened") principal = entry.principal;
      if (entry.kind === "log_opened" || !isWanted(record, options)) continue;
      await past.lookUp(entry, principal);
      const found = replay(entry);
      if (found === null) continue;
      if (found === "same") counts.same += 1;
      else {
        counts[found.decision === "undecided" ? "undecided" : "changed"] += 1;
        await onChange?.({ ...found, file, seq, at });
      }
    }
  }
  const calls = counts.same + counts.changed + counts.undecided;
  if (calls === 0 && counts.unreadable > 0 && log !== undefined) throw noLog(log);
  return { calls, ...counts, warnings };
}

/** What a run has read is taken from all of it; calls that are not wanted are left out. */
function isWanted({ entry, at }: AuditRecord, { since, until, server, tool }: PolicyLogOptions): boolean {
  if (entry.kind !== "call_intended" && entry.kind !== "call_denied") return true;
  if (server !== undefined && entry.server !== server) return false;
  if (tool !== undefined && entry.tool !== tool) return false;
  if (until !== undefined && at >= until.toISOString()) return false;
  return since === undefined || at >= since.toISOString();
}

function noLog(log: string): HostError {
  return new HostError("input_invalid", `There is no record of a call in ${log}: it is no audit log.`);
}
