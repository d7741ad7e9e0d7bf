import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { isObject } from "../util/own.ts";
import { randomId } from "../util/random-id.ts";
import { privateMode, readable } from "./private-file.ts";
import { systemCode } from "./store-error.ts";

/** Who holds a lock, as its file says. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the system's own count; empty where it does not say. Process ids are used again. */
  readonly started: string;
  /** Of this taking alone. */
  readonly token: string;
}

/** Locks of this process. */
const held = new Set<string>();

/** Field 22 of `/proc/PID/stat`; the name in field 2 may hold spaces and parentheses. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function readWithoutWait(path: string): string {
  const fd = openSync(path, readable);
  try {
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

function readHolder(path: string): LockHolder | null {
  try {
    const read: unknown = JSON.parse(readWithoutWait(path));
    if (!isObject(read)) return null;
    const { pid, host, started, token } = read;
    if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return null;
    if (typeof host !== "string" || typeof started !== "string" || typeof token !== "string") return null;
    return { pid, host, started, token };
  } catch {
    return null;
  }
}

/** A holder on another machine cannot be asked, so it counts as alive. */
function isAlive({ pid, host, started, token }: LockHolder): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return held.has(token);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === "ESRCH") return false;
  }
  return startOf(pid) === started;
}

/** Who holds the lock at this moment, or null: a holder that is no more holds nothing. */
export function lockHolder(path: string): LockHolder | null {
  const holder = readHolder(path);
  return holder !== null && isAlive(holder) ? holder : null;
}

/** Gives the file its name with its content in it; false when the name is taken. */
function place(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
  }
  try {
    // Some file systems have no hard links.
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Takes a dead holder's file away; a live one that came between is put back. */
function clearDead(path: string): void {
  const aside = `${path}.${randomId("dead")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return;
    throw error;
  }
  const holder = readHolder(aside);
  if (holder !== null && isAlive(holder)) place(aside, path);
  rmSync(aside, { force: true });
}

/**
 * Takes a lock as a file that names this process. Returns the function that gives it back, or who holds it. The lock
 * of a process that died is taken over. Throws what the system throws.
 */
export function takeLock(path: string): (() => void) | LockHolder {
  const token = randomId("lock");
  const mine: LockHolder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token };
  const temporary = `${path}.${token}`;
  writeFileSync(temporary, JSON.stringify(mine), { mode: privateMode, flag: "wx" });
  held.add(token);
  try {
    for (let tries = 0; !place(temporary, path); tries += 1) {
      const holder = lockHolder(path);
      if (holder !== null || tries === 3) {
        held.delete(token);
        return holder ?? mine;
      }
      clearDead(path);
    }
  } catch (error) {
    held.delete(token);
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return () => {
    if (!held.delete(token)) return;
    if (readHolder(path)?.token === token) rmSync(path, { force: true });
  };
}
