import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { GrantBinding, GrantedTool, GrantStore, StoredGrant } from "../types/grants.ts";
import type { Clock } from "../types/ports.ts";
import { createGrantRecords, type GrantRecords, grantVersion, type ReadGrant } from "./grant-record.ts";
import { ensureFolder, writeWhole } from "./private-file.ts";
import { storeError, systemCode } from "./store-error.ts";
import { isStoreId } from "./store-id.ts";

const suffix = ".json";
/** A longer file is none of ours. */
const maxFileBytes = 2 * 1024 * 1024;

export function grantsFolder(folder: string): string {
  return join(folder, "grants");
}

/** The text of a small file of ours, or null: a symbolic link, or one that others may write, is not ours. */
function readText(path: string): string | null {
  try {
    // Windows has no such flag.
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile() || stat.size > maxFileBytes) return null;
      if (process.platform !== "win32" && (stat.mode & 0o022) !== 0) return null;
      const bytes = Buffer.alloc(stat.size);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/**
 * Lasting grants as files, one each, in a folder of their tool: processes never write the same one with another
 * content, so that none loses another's. A file that was changed, or written by somebody without the key, is no grant.
 */
export function createGrantFiles(folder: string, key: Uint8Array, clock: Clock): GrantStore {
  const root = grantsFolder(folder);
  const records = createGrantRecords(key);
  const fail = (cause: unknown) => storeError("store_failed", "The grant cannot be kept", root, cause);
  const placeOf = createPlaces(root, records);
  const believed = new Map<string, Believed>();

  return {
    find(binding) {
      const { id, path } = placeOf(binding);
      const text = readText(path);
      const known = believed.get(path);
      // The file is read each time; the same head needs no second check.
      if (text !== null && known !== undefined && text.startsWith(known.head)) return known.grant;
      const grant = text === null ? null : (records.read(id, text)?.grant ?? null);
      if (text !== null && grant !== null) remember(believed, path, { head: headOf(text), grant });
      return grant;
    },
    allowedBefore(binding) {
      const found = readAll(records, placeOf(binding).place).sort(
        (a, b) => sameConfig(b, binding) - sameConfig(a, binding) || (a.grant.at < b.grant.at ? 1 : -1),
      );
      return found.map((one): GrantedTool => one.before);
    },
    async add(binding, definition) {
      const { id, place, path } = placeOf(binding);
      const { principal, server, tool, configHash, definitionHash, rule } = binding;
      const at = new Date(clock.wall()).toISOString();
      const grant = { id, at, principal, server, tool, configHash, definitionHash, rule };
      try {
        if (grantVersion(readText(path) ?? "") > 1) throw new Error("a later version wrote it already");
        ensureFolder(place);
        await writeWhole(path, records.write(grant, definition));
        removeOutdated(records, place, grant);
      } catch (error) {
        throw fail(error);
      }
      return grant;
    },
  };
}

interface Place {
  readonly id: string;
  /** The folder of the tool's grants. */
  readonly place: string;
  readonly path: string;
}

/** What a file's first two lines said when they were checked: the grant, and the keyed hash of it. */
interface Believed {
  readonly head: string;
  readonly grant: StoredGrant;
}

function headOf(text: string): string {
  return text.slice(0, text.indexOf("\n", text.indexOf("\n") + 1) + 1);
}

/** Most bindings whose keyed hashes are remembered. */
const mostRemembered = 10_000;

function remember<T>(map: Map<string, T>, key: string, value: T): T {
  if (map.size >= mostRemembered) map.clear();
  map.set(key, value);
  return value;
}

/** Where the grant of a binding is: hashes that are asked for with every call. */
function createPlaces(root: string, records: GrantRecords): (binding: GrantBinding) => Place {
  const places = new Map<string, Place>();
  return (binding) => {
    const { principal, server, tool, configHash, definitionHash, rule } = binding;
    const key = JSON.stringify([principal, server, tool, configHash, definitionHash, rule]);
    const known = places.get(key);
    if (known !== undefined) return known;
    const id = records.idOf(binding);
    const place = join(root, records.folderOf(binding));
    return remember(places, key, { id, place, path: join(place, `${id}${suffix}`) });
  };
}

function sameConfig({ grant }: ReadGrant, { configHash }: GrantBinding): number {
  return grant.configHash === configHash ? 1 : 0;
}

function readGrant(records: GrantRecords, path: string, id: string): ReadGrant | null {
  const text = readText(path);
  return text === null ? null : records.read(id, text);
}

function readAll(records: GrantRecords, place: string): ReadGrant[] {
  return idsIn(place).flatMap((id) => {
    const read = readGrant(records, join(place, `${id}${suffix}`), id);
    return read === null ? [] : [read];
  });
}

/** Ids by their files' names; none where the folder cannot be read: then nothing is allowed. */
function idsIn(place: string): string[] {
  try {
    return idsOf(readdirSync(place));
  } catch {
    return [];
  }
}

function idsOf(names: readonly string[]): string[] {
  return names
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .filter(isStoreId);
}

/** The names in a folder; none when it is not there, or is none. Who lists grants is told of one that cannot be read. */
function listed(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return [];
    throw storeError("store_failed", "The grants cannot be listed", path, error);
  }
}

/** The same server's earlier definition was allowed, and the person has seen what became of it. */
function removeOutdated(records: GrantRecords, place: string, added: StoredGrant): void {
  for (const { grant } of readAll(records, place)) {
    const replaced = grant.configHash === added.configHash && grant.rule === added.rule;
    if (replaced && grant.id !== added.id) rmSync(join(place, `${grant.id}${suffix}`), { force: true });
  }
}

/** A grant's file: `grant` is null where it was damaged or written by a later version. */
export interface GrantFile {
  readonly id: string;
  readonly path: string;
  readonly grant: StoredGrant | null;
}

/** All grants of a state folder. Throws `store_failed`. */
export function listGrantFiles(folder: string, key: Uint8Array): readonly GrantFile[] {
  const root = grantsFolder(folder);
  const records = createGrantRecords(key);
  return listed(root).flatMap((place) =>
    idsOf(listed(join(root, place))).map((id) => {
      const path = join(root, place, `${id}${suffix}`);
      return { id, path, grant: readGrant(records, path, id)?.grant ?? null };
    }),
  );
}

/** Takes a grant back. Throws `store_failed`. */
export function removeGrantFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw storeError("store_failed", "The grant cannot be taken back", path, error);
  }
}
