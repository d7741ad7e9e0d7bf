import { readEnvironment } from "../config/environment.ts";
import { stateFolder } from "../config/state-folder.ts";
import { findRecords, newestRecords, openingOf } from "../stores/audit-reading.ts";
import type { AuditRecord } from "../stores/audit-record.ts";
import type { AuditEntry } from "../types/audit.ts";

/** Which calls are wanted; what is absent does not matter. */
export interface AuditQuery {
  readonly run?: string;
  readonly server?: string;
  /** A raw name. */
  readonly tool?: string;
  readonly decision?: "allow" | "deny";
  /** `unknown`: the call may have run, but its process ended before it was answered, or it runs at this moment. */
  readonly outcome?: "answered" | "error_result" | "failed" | "unknown";
  /** Only what was decided then or later. */
  readonly since?: Date;
  /** Only what was decided before then. */
  readonly until?: Date;
  /** The state folder that a host used. Default: the one of `createHost`. */
  readonly folder?: string;
}

type EntryOf<Kind extends AuditEntry["kind"]> = Extract<AuditEntry, { kind: Kind }>;

/** One call as the log tells it: what was decided, and what came of it. Each attempt is one. */
export interface AuditedCall {
  /** The record of the decision. */
  readonly file: string;
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** On whose behalf; empty when the beginning of its file cannot be read. */
  readonly principal: string;
  /** False when one of its records was changed. */
  readonly intact: boolean;
  readonly decided: EntryOf<"call_intended"> | EntryOf<"call_denied"> | EntryOf<"call_rejected">;
  /** Null for a call that did not run, runs at this moment, or whose process died in it. */
  readonly settled: EntryOf<"call_settled"> | null;
  /** Bytes of its answer that went to the model, and those kept aside; null when nothing went to it. */
  readonly returned: { readonly bytesKept: number; readonly bytesCut: number } | null;
}

type FoundCall = Omit<AuditedCall, "principal">;

interface Ends {
  readonly settled: Map<string, { readonly entry: EntryOf<"call_settled">; readonly intact: boolean }>;
  readonly returned: Map<string, AuditedCall["returned"]>;
}

/** An end whose beginning does not come belongs to a log that was cut: it is forgotten. */
const mostOpenEnds = 10_000;

/**
 * The calls of the audit log, the newest first. The log is read as a stream from its end, so that the newest calls cost
 * little however long it is; a torn last line is passed over. Rejects with `store_failed`.
 */
export async function* auditedCalls(query: AuditQuery = {}): AsyncGenerator<AuditedCall> {
  const since = query.since?.toISOString() ?? "";
  const ends: Ends = { settled: new Map(), returned: new Map() };
  const folder = query.folder ?? defaultFolder();
  const principals = new Map<string, string>();
  for await (const record of newestRecords(folder)) {
    if (record.at < since) return;
    const call = takeRecord(record, ends);
    if (call === null || !matches(call, query)) continue;
    const principal = principals.get(call.file) ?? (await principalOf(folder, call.file));
    principals.set(call.file, principal);
    yield { ...call, principal };
  }
}

async function principalOf(folder: string, file: string): Promise<string> {
  return (await openingOf(folder, file))?.principal ?? "";
}

const keyOf = (entry: { readonly run: string; readonly call: string }): string =>
  JSON.stringify([entry.run, entry.call]);

/** The call that begins with this record. The log is read backwards: how it ended is known already. */
function takeRecord({ file, seq, at, intact, entry }: AuditRecord, ends: Ends): FoundCall | null {
  switch (entry.kind) {
    case "call_settled":
      remember(ends.settled, keyOf(entry), { entry, intact });
      return null;
    case "results_returned":
      for (const { call, bytesKept, bytesCut } of entry.results)
        remember(ends.returned, keyOf({ run: entry.run, call }), { bytesKept, bytesCut });
      return null;
    case "call_intended":
    case "call_denied":
    case "call_rejected": {
      const key = keyOf(entry);
      const settled = entry.kind === "call_intended" ? take(ends.settled, key) : undefined;
      const whole = intact && settled?.intact !== false;
      const returned = take(ends.returned, key) ?? null;
      return { file, seq, at, intact: whole, decided: entry, settled: settled?.entry ?? null, returned };
    }
    default:
      return null;
  }
}

function remember<V>(ends: Map<string, V>, key: string, value: V): void {
  if (ends.size >= mostOpenEnds) ends.clear();
  ends.set(key, value);
}

function take<V>(ends: Map<string, V>, key: string): V | undefined {
  const value = ends.get(key);
  ends.delete(key);
  return value;
}

function matches(call: FoundCall, query: AuditQuery): boolean {
  const { decided, at } = call;
  const { run, server, tool, decision, outcome, until } = query;
  if (run !== undefined && decided.run !== run) return false;
  if (server !== undefined && decided.server !== server) return false;
  if (tool !== undefined && decided.tool !== tool) return false;
  if (until !== undefined && at >= until.toISOString()) return false;
  if (outcome !== undefined && outcomeOf(call) !== outcome) return false;
  if (decision === undefined) return true;
  return decided.kind === (decision === "allow" ? "call_intended" : "call_denied");
}

/** Null for a call that was not to run. */
function outcomeOf({ decided, settled }: FoundCall): AuditQuery["outcome"] | null {
  if (decided.kind !== "call_intended") return null;
  return settled?.outcome ?? "unknown";
}

/** Records that belong together, in the order in which they were written, and on whose behalf. */
export interface AuditFinding {
  /** Empty when the beginning of the file cannot be read. */
  readonly principal: string;
  readonly records: readonly AuditRecord[];
}

/**
 * Everything that the log says of one run or one call. `selector` is the id of a run or of a call, or the number of a
 * record: `SEQ` of the newest file that has it, or `FILE:SEQ`. Null when there is none. Rejects with `store_failed`.
 */
export async function findAudit(
  selector: string,
  folder: string = defaultFolder(),
): Promise<AuditFinding | null> {
  const numbered = /^(?:([\w-]+):)?(\d{1,15})$/.exec(selector);
  const found =
    numbered === null
      ? await recordsOfId(folder, selector)
      : await recordsAround(folder, Number(numbered[2]), numbered[1]);
  const [first] = found;
  if (first === undefined) return null;
  return { principal: await principalOf(folder, first.file), records: found };
}

async function recordsAround(folder: string, seq: number, file?: string): Promise<readonly AuditRecord[]> {
  const found = await findRecords(
    folder,
    `"seq":${seq},`,
    (record) => record.seq === seq && (file === undefined || record.file === file),
    "one file",
  );
  const entry = found[0]?.entry;
  if (entry === undefined || !("run" in entry) || !("call" in entry)) return found;
  return recordsOfCall(folder, entry.run, entry.call);
}

async function recordsOfId(folder: string, id: string): Promise<readonly AuditRecord[]> {
  const found = await findRecords(
    folder,
    JSON.stringify(id),
    ({ entry }) => ("run" in entry && entry.run === id) || ("call" in entry && entry.call === id),
  );
  // Ids of calls are a model's: two runs may have the same. The newest is meant.
  const last = found.findLast(({ entry }) => "call" in entry && entry.call === id)?.entry;
  if (last === undefined || !("call" in last) || last.run === id) return found;
  return recordsOfCall(folder, last.run, last.call);
}

function recordsOfCall(folder: string, run: string, call: string): Promise<readonly AuditRecord[]> {
  return findRecords(folder, JSON.stringify(run), ({ entry }) => {
    if (!("run" in entry) || entry.run !== run) return false;
    if ("call" in entry) return entry.call === call;
    if (entry.kind !== "results_returned") return entry.kind === "run_started";
    return entry.results.some((result) => result.call === call);
  });
}

function defaultFolder(): string {
  return stateFolder(readEnvironment());
}
