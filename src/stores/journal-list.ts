import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../util/own.ts";
import { type JournalOpening, parseRecord, readOpening, runsFolder } from "./journal-path.ts";
import { readable } from "./private-file.ts";
import { storeError, systemCode } from "./store-error.ts";

/** What a stored conversation is known by. Texts are as they were written: escape them before they are shown. */
export interface StoredConversation {
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Of its last record, ISO 8601. */
  readonly lastAt: string;
  /** The first line of the first question; empty when there is none. */
  readonly question: string;
  /** `api/name` of the first run's model; empty when no run began. */
  readonly model: string;
  /** Turns so far; null where the journal does not say. */
  readonly turns: number | null;
  /** The folder in which it began; null where the journal does not say. */
  readonly cwd: string | null;
  readonly bytes: number;
}

/** A journal's file, before it was opened. */
export interface JournalName {
  readonly id: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly changedMs: number;
}

const suffix = ".jsonl";
/** Bytes that are read at each end of a journal. */
const endBytes = 64 * 1024;
const longestQuestion = 200;

/** The journals of a state folder, the last written first. Rejects with `store_failed`. */
export async function journalNames(folder: string): Promise<readonly JournalName[]> {
  const runs = runsFolder(folder);
  const names = await readdir(runs).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw storeError("store_failed", "The stored conversations cannot be listed", runs, error);
  });
  const journals = await Promise.all(
    names
      .filter((name) => name.endsWith(suffix))
      .map(async (name): Promise<JournalName | null> => {
        const path = join(runs, name);
        const found = await stat(path).catch(() => null);
        return found?.isFile() ? { id: name.slice(0, -suffix.length), path, changedMs: found.mtimeMs } : null;
      }),
  );
  return journals.filter((journal) => journal !== null).sort((a, b) => b.changedMs - a.changedMs);
}

interface JournalEnds {
  /** First lines; the last of them may be cut. */
  readonly head: readonly string[];
  /** Last lines that are whole, behind those of the head. */
  readonly tail: readonly string[];
  /** Whether the two are the whole file. */
  readonly whole: boolean;
  readonly bytes: number;
}

function readEnds(path: string): JournalEnds {
  const fd = openSync(path, readable);
  try {
    const bytes = fstatSync(fd).size;
    const part = (start: number, length: number): string => {
      const buffer = Buffer.alloc(Math.max(0, length));
      return buffer.toString("utf8", 0, readSync(fd, buffer, 0, buffer.length, start));
    };
    const head = part(0, Math.min(bytes, endBytes)).split("\n");
    if (bytes <= endBytes) return { head, tail: [], whole: true, bytes };
    const start = Math.max(endBytes, bytes - endBytes);
    return {
      head,
      tail: part(start, bytes - start)
        .split("\n")
        .slice(1),
      whole: false,
      bytes,
    };
  } finally {
    closeSync(fd);
  }
}

/** The opening of a journal, or null when this version cannot read it. */
export function openingOf({ id, path }: JournalName): JournalOpening | null {
  try {
    return readOpening(readEnds(path).head[0] ?? "", id);
  } catch {
    return null;
  }
}

/** What a journal says of itself at its two ends; null when it is none that this version reads, or somebody else's. */
export function describeJournal(journal: JournalName, principal: string): StoredConversation | null {
  const { id, path, changedMs } = journal;
  try {
    const { head, tail, whole, bytes } = readEnds(path);
    const [first = "", ...rest] = head;
    const opening = readOpening(first, id);
    if (opening.principal !== principal) return null;
    const last = new Date(changedMs).toISOString();
    const { at: startedAt, cwd } = opening;
    const { model, question } = readStart(rest);
    return { id, startedAt, lastAt: last, question, model, turns: turnsOf(rest, tail, whole), cwd, bytes };
  } catch {
    return null;
  }
}

function readStart(lines: readonly string[]): { readonly model: string; readonly question: string } {
  let model = "";
  for (const line of lines) {
    const record = parseRecord(line);
    if (model === "" && record?.kind === "run_started" && typeof record.model === "string") {
      model = record.model;
    }
    const says = record === null ? cutText(line) : firstText(record);
    if (says !== null) return { model, question: firstLine(says) };
  }
  return { model, question: "" };
}

function firstText(record: Readonly<Record<string, unknown>>): string | null {
  const { kind, message } = record;
  if (kind !== "message_appended" || !isObject(message) || message.role !== "user") return null;
  if (!Array.isArray(message.content)) return null;
  const texts = message.content.flatMap((block: unknown) =>
    isObject(block) && typeof block.text === "string" ? [block.text] : [],
  );
  return texts[0] ?? "";
}

const textStart = '"type":"text","text":"';

/** The beginning of the first text in a message's line that is longer than what was read. */
function cutText(line: string): string | null {
  const at = line.startsWith('{"kind":"message_appended"') ? line.indexOf(textStart) : -1;
  if (at === -1) return null;
  const from = at + textStart.length;
  // An escape must not be cut: of the last ones, leave out as many characters as the longest has.
  const raw = /^(?:[^"\\]|\\(?:u[0-9a-f]{4}|[^u]))*/i.exec(line.slice(from, from + 6 * longestQuestion))?.[0];
  const text = parseRecord(`{"text":"${raw ?? ""}"}`)?.text;
  return typeof text === "string" ? text : null;
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  return line.length > longestQuestion ? `${line.slice(0, longestQuestion - 1)}…` : line;
}

/** Those of ended runs as the last of them recorded it, and the answers of one that did not end. */
function turnsOf(head: readonly string[], tail: readonly string[], whole: boolean): number | null {
  let turns: number | null = whole ? 0 : null;
  for (const line of whole ? head : tail) {
    const record = parseRecord(line);
    const { kind, totalTurns, message } = record ?? {};
    if (kind === "run_ended" && typeof totalTurns === "number") turns = totalTurns;
    if (kind !== "message_appended" || turns === null) continue;
    if (isObject(message) && message.role === "assistant") turns += 1;
  }
  return turns;
}
