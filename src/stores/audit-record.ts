import type { AuditEntry } from "../types/audit.ts";
import { readChainedLine } from "../util/hash-chain.ts";
import { isObject, own } from "../util/own.ts";
import { nativeHash } from "./native-hash.ts";

/** The first record of each file: who writes it, and which file it continues. */
export interface LogOpened {
  readonly kind: "log_opened";
  readonly principal: string;
  readonly pid: number;
  readonly follows?: { readonly file: string; readonly seq: number } | null;
  /** What was wrong with the file that it continues. */
  readonly found?: { readonly file: string; readonly firstBadSeq: number; readonly problem: string };
  /** Entries that could not be written before it was begun. */
  readonly lost?: { readonly entries: number; readonly reason: string };
}

/** One record of the audit log, with its place. */
export interface AuditRecord {
  /** Name of its file without the extension. */
  readonly file: string;
  /** From 1 in each file. */
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly entry: AuditEntry | LogOpened;
  /** False when its hash does not match its text: it was changed. */
  readonly intact: boolean;
}

type Kind = (AuditEntry | LogOpened)["kind"];
type Member = "string" | "number" | "boolean" | "source" | "returned" | "array-of-text" | "json";

const call = {
  run: "string",
  turn: "number",
  call: "string",
  server: "string",
  tool: "string",
  alias: "string",
} as const;
const decided = {
  arguments: "json",
  argumentsHash: "string",
  by: "source",
  reason: "string",
  waitedMs: "number",
} as const;

const asked = { run: "string", turn: "number", server: "string" } as const;
const ofElicitation = { elicitation: "string" } as const;
const ofSampling = { sampling: "string" } as const;

/** What each kind of record has at least. */
const members: Readonly<Record<Kind, Readonly<Record<string, Member>>>> = {
  log_opened: { principal: "string", pid: "number" },
  run_started: { run: "string", principal: "string", model: "string" },
  call_intended: { ...call, ...decided, configHash: "string", definitionHash: "string", attempt: "number" },
  call_settled: {
    ...call,
    outcome: "string",
    executed: "string",
    attempt: "number",
    ms: "number",
    bytesIn: "number",
  },
  call_denied: { ...call, ...decided, unasked: "boolean" },
  call_rejected: {
    run: "string",
    turn: "number",
    call: "string",
    alias: "string",
    code: "string",
    reason: "string",
  },
  results_returned: { run: "string", turn: "number", results: "returned" },
  elicitation_asked: {
    ...asked,
    ...ofElicitation,
    calls: "array-of-text",
    mode: "string",
    message: "string",
  },
  elicitation_answered: { ...asked, ...ofElicitation, action: "string", waitedMs: "number" },
  sampling_decided: {
    ...asked,
    ...ofSampling,
    calls: "array-of-text",
    decision: "string",
    by: "source",
    reason: "string",
    waitedMs: "number",
    maxTokens: "number",
    prompt: "json",
    promptHash: "string",
  },
  sampling_answered: {
    ...asked,
    ...ofSampling,
    model: "string",
    outcome: "string",
    inputTokens: "number",
    outputTokens: "number",
    ms: "number",
  },
  run_ended: { run: "string", stop: "string", turns: "number" },
};

const place = { file: "string", seq: "number" } as const;

/** Members that a record may have, of whatever kind. */
const optional: Readonly<Record<string, Member | Readonly<Record<string, Member>>>> = {
  server: "string",
  tool: "string",
  configHash: "string",
  definitionHash: "string",
  argumentsHash: "string",
  contentHash: "string",
  decision: "string",
  method: "string",
  code: "string",
  reason: "string",
  url: "string",
  fields: "array-of-text",
  follows: place,
  found: { file: "string", firstBadSeq: "number", problem: "string" },
  lost: { entries: "number", reason: "string" },
  labels: { trusted: "boolean", openWorld: "boolean", private: "boolean" },
  shadow: { decision: "string", by: "source", reason: "string" },
};

/** What a source of a decision says beside its type, where it says more. */
const sources: Readonly<Record<string, readonly string[]>> = {
  rule: ["tier", "rule"],
  hint: ["hint"],
  grant: ["id"],
  person: ["principal"],
  flow: ["flow"],
};

/** One of a later version is a source, too. */
function isSource(value: unknown): boolean {
  if (!isObject(value) || typeof value.type !== "string") return false;
  return (own(sources, value.type) ?? []).every((name) => has(value, name, "string"));
}

const returned = { call: "string", bytesKept: "number", bytesCut: "number" } as const;

function mayHave(record: Readonly<Record<string, unknown>>, name: string): boolean {
  const member = own(optional, name);
  const value = own(record, name);
  if (member === undefined || value === undefined) return true;
  if (typeof member === "string") return has(record, name, member);
  if (value === null) return name === "follows";
  return hasAll(value, member);
}

function hasAll(value: unknown, needed: Readonly<Record<string, Member>>): boolean {
  return isObject(value) && Object.entries(needed).every(([name, member]) => has(value, name, member));
}

function has(record: Readonly<Record<string, unknown>>, name: string, member: Member): boolean {
  const value = own(record, name);
  switch (member) {
    case "json":
      return value !== undefined;
    case "source":
      return isSource(value);
    case "returned":
      return Array.isArray(value) && value.every((one) => hasAll(one, returned));
    case "array-of-text":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    default:
      return typeof value === member;
  }
}

function isEntry(record: Readonly<Record<string, unknown>>): boolean {
  const needed = typeof record.kind === "string" ? own(members, record.kind) : undefined;
  if (needed === undefined) return false;
  return hasAll(record, needed) && Object.keys(record).every((name) => mayHave(record, name));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/**
 * Reads a line of an audit file, or null when it is no record of a known kind. A record that somebody changed is read
 * as it stands, and says so.
 */
export function readAuditRecord(line: string, file: string): AuditRecord | null {
  const checked = readChainedLine(line, nativeHash);
  const value = checked?.record ?? parsed(line);
  if (!isObject(value) || !isEntry(value)) return null;
  const { v: _version, seq, prev: _prev, hash: _hash, at, mono: _mono, ...entry } = value;
  if (typeof seq !== "number" || typeof at !== "string") return null;
  // `isEntry` checked the members of its kind.
  return { file, seq, at, entry: entry as unknown as AuditRecord["entry"], intact: checked !== null };
}
