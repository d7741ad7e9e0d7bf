import { sha256Hex } from "./hash.ts";
import { isObject } from "./own.ts";

/** Hex sha-256 of a text's UTF-8 bytes; a faster one than ours may be passed in where there is one. */
export type HashText = (text: string) => string;

/** A place in a chain: the number of a record, from 1, and its hash. */
export interface ChainPosition {
  readonly seq: number;
  readonly hash: string;
}

/** What the first record of a chain that continues nothing names as the one before it. */
export const noHash: string = "0".repeat(64);

export interface ChainedLine {
  /** JSON text without a line break. */
  readonly line: string;
  readonly position: ChainPosition;
}

/** What is wrong with a chain, in a sentence, and the first record that is not as it was written. */
export interface ChainProblem {
  readonly seq: number;
  readonly problem: string;
}

export interface CheckedLine {
  readonly position: ChainPosition;
  /** Hash of the record before it, as the line names it. */
  readonly prev: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** The hash is the last member, so that the text it covers is the line without it. */
const hashMember = /,"hash":"([0-9a-f]{64})"\}$/;
const hashMemberLength = ',"hash":"'.length + 64 + '"}'.length;

/**
 * The line of a record: `{"v":1,"seq":…,"prev":…, …record, "hash":…}`. The hash is the sha-256 of the line's exact
 * bytes without the hash member, so it covers the number and the hash of the record before. `record` has no member
 * named v, seq, prev or hash.
 */
export function chainLine(
  previous: ChainPosition,
  record: object,
  hashText: HashText = sha256Hex,
): ChainedLine {
  const seq = previous.seq + 1;
  const body = JSON.stringify({ v: 1, seq, prev: previous.hash, ...record });
  const hash = hashText(body);
  return { line: `${body.slice(0, -1)},"hash":"${hash}"}`, position: { seq, hash } };
}

/** Reads a line whose hash matches its text, or null. Says nothing of its place in the chain. */
export function readChainedLine(line: string, hashText: HashText = sha256Hex): CheckedLine | null {
  const hash = hashMember.exec(line.slice(-hashMemberLength))?.[1];
  if (hash === undefined) return null;
  const body = `${line.slice(0, -hashMemberLength)}}`;
  if (hashText(body) !== hash) return null;
  let record: unknown;
  try {
    record = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isObject(record) || record.v !== 1) return null;
  const { seq, prev } = record;
  if (typeof seq !== "number" || typeof prev !== "string") return null;
  return { position: { seq, hash }, prev, record };
}

/** Checks the lines of one chain in order. */
export interface ChainCheck {
  /** The next line, or null where its bytes are no text. The first problem ends the check. */
  add(line: string | null): ChainProblem | null;
  /** After the last line: whether the chain reaches its head. */
  end(): ChainProblem | null;
  readonly position: ChainPosition;
  /** Hash that the first record names as the one before it. */
  readonly follows: string | null;
}

/** `head` is the newest record known from elsewhere: a chain may be longer, and is not shorter. */
export function createChainCheck(
  settings: { readonly head?: ChainPosition; readonly hashText?: HashText } = {},
): ChainCheck {
  const { head } = settings;
  let position: ChainPosition = { seq: 0, hash: noHash };
  let follows: string | null = null;

  function add(line: string | null): ChainProblem | null {
    const expected = position.seq + 1;
    const checked = line === null ? null : readChainedLine(line, settings.hashText);
    if (checked === null) {
      return { seq: expected, problem: `Record ${expected} was changed: its hash does not match its text.` };
    }
    const { seq } = checked.position;
    if (seq !== expected) {
      const where =
        seq > expected ? "is missing or was moved" : "is not the next one: a record was inserted or moved";
      return { seq: expected, problem: `Record ${expected} ${where}; record ${seq} stands in its place.` };
    }
    if (expected > 1 && checked.prev !== position.hash) {
      return {
        seq: expected,
        problem: `Record ${expected} does not continue record ${position.seq}: one was replaced.`,
      };
    }
    if (head !== undefined && seq === head.seq && checked.position.hash !== head.hash) {
      return { seq, problem: `Record ${seq} is not the one its head names: the chain was written anew.` };
    }
    if (expected === 1) follows = checked.prev;
    position = checked.position;
    return null;
  }

  function end(): ChainProblem | null {
    if (head === undefined || position.seq >= head.seq) return null;
    const first = position.seq + 1;
    return {
      seq: first,
      problem: `Records ${first} to ${head.seq} are missing at the end: the file was cut.`,
    };
  }

  return {
    add,
    end,
    get position() {
      return position;
    },
    get follows() {
      return follows;
    },
  };
}
