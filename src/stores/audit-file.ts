import { closeSync, fstatSync, fsyncSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Clock } from "../types/ports.ts";
import { sha256Hex } from "../util/hash.ts";
import { type ChainPosition, chainLine, noHash, readChainedLine } from "../util/hash-chain.ts";
import { randomId } from "../util/random-id.ts";
import { type AppendFile, openAppendFile } from "./append-file.ts";
import { addHeadSlot, type Head } from "./audit-heads.ts";
import { nativeHash } from "./native-hash.ts";
import { ensureFolder, syncFolder } from "./private-file.ts";
import { storeError } from "./store-error.ts";

/** Folders and names of the audit log under a state folder. */
export interface AuditPaths {
  readonly logs: string;
  readonly heads: string;
}

export function auditPaths(folder: string): AuditPaths {
  return { logs: join(folder, "audit"), heads: join(folder, "audit", "heads") };
}

/** The heads file of a principal: principals may hold any characters, so the name is a hash. */
function headsPath(folder: string, principal: string): string {
  return join(auditPaths(folder).heads, `${sha256Hex(principal).slice(0, 32)}.jsonl`);
}

const tailBytes = 64 * 1024;

/**
 * The last good record of an earlier log: its process may have died between flushing and noting its head. It is
 * flushed before it is trusted, as its writer may not have done so.
 */
function lastGoodRecord(path: string, head: Head): ChainPosition {
  let fd: number;
  try {
    fd = openSync(path, "r+");
  } catch {
    return head;
  }
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    const count = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    const line = bytes.toString("utf8", 0, count).split("\n").slice(1, -1).at(-1);
    const record = line === undefined ? null : readChainedLine(line, nativeHash);
    if (record === null || record.position.seq <= head.seq) return head;
    fsyncSync(fd);
    return record.position;
  } finally {
    closeSync(fd);
  }
}

/** `20261130T083300Z` */
function fileStamp(wallMs: number): string {
  return new Date(wallMs).toISOString().replace(/[-:]|\.\d+/g, "");
}

interface OpenLog {
  readonly file: AppendFile;
  position: ChainPosition;
  close(): Promise<void>;
}

async function openLog(folder: string, principal: string, clock: Clock): Promise<OpenLog> {
  const paths = auditPaths(folder);
  const name = randomId(fileStamp(clock.wall()), 8);
  ensureFolder(paths.heads);
  const slot = await addHeadSlot(headsPath(folder, principal), name);
  const { previous } = slot;
  const followed = previous && lastGoodRecord(join(paths.logs, `${previous.file}.jsonl`), previous);
  const opened = chainLine(
    { seq: 0, hash: followed?.hash ?? noHash },
    {
      at: new Date(clock.wall()).toISOString(),
      mono: clock.now(),
      kind: "log_opened",
      file: name,
      principal,
      pid: process.pid,
      follows: previous && followed && { file: previous.file, seq: followed.seq },
    },
    nativeHash,
  );
  const path = join(paths.logs, `${name}.jsonl`);
  try {
    const file = openAppendFile({
      path,
      open: "new",
      firstLine: opened.line,
      fail: (cause) => storeError("audit_failed", "The audit log cannot be written", path, cause),
      // Numbers start at 1 in every file and nothing else writes to it, so the count of lines is the last number.
      onFlushed: (lastLine, seq) => slot.update({ seq, hash: lastLine.slice(-66, -2) }),
    });
    syncFolder(paths.heads);
    syncFolder(paths.logs);
    const close = async (): Promise<void> => {
      await file.close();
      slot.close();
    };
    return { file, position: opened.position, close };
  } catch (error) {
    slot.close();
    throw error;
  }
}

/** A sink that its stores close. */
export interface AuditFile extends AuditSink {
  readonly location: string;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The audit log of one principal in this process: a file of its own, made with the first entry and chained to the
 * principal's newest head. `append` rejects with `audit_failed`; a failure to make the file may pass, a failure to
 * write it stays.
 */
export function createAuditFile(folder: string, principal: string, clock: Clock): AuditFile {
  const { logs } = auditPaths(folder);
  let opening: Promise<OpenLog> | null = null;
  let openLogFile: OpenLog | null = null;
  let closed = false;

  function open(): Promise<OpenLog> {
    opening ??= openLog(folder, principal, clock).then(
      (log) => {
        openLogFile = log;
        return log;
      },
      (error: unknown) => {
        opening = null;
        throw storeError("audit_failed", "The audit log cannot be opened", logs, error);
      },
    );
    return opening;
  }

  function write(log: OpenLog, entry: AuditEntry): Promise<void> {
    const at = new Date(clock.wall()).toISOString();
    const { line, position } = chainLine(log.position, { at, mono: clock.now(), ...entry }, nativeHash);
    log.position = position;
    return log.file.append(line);
  }

  async function flushOpening(): Promise<void> {
    await (await opening)?.file.flush();
  }

  return {
    location: logs,
    append(entry) {
      if (closed) {
        const cause = new Error("it is closed");
        return Promise.reject(storeError("audit_failed", "The audit log is not written", logs, cause));
      }
      return openLogFile === null ? open().then((log) => write(log, entry)) : write(openLogFile, entry);
    },
    flush: () => openLogFile?.file.flush() ?? flushOpening(),
    async close() {
      closed = true;
      const log = await opening?.catch(() => null);
      await log?.close();
    },
  };
}
