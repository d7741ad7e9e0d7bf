import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { GrantBinding, GrantedTool, GrantStore, StoredGrant } from "../types/grants.ts";
import type { Clock } from "../types/ports.ts";
import {
  createGrantRecords,
  type GrantRecords,
  grantVersion,
  newestGrantVersion,
  type ReadGrant,
} from "./grant-record.ts";
import { ensureFolder, noFollow, writeWhole } from "./private-file.ts";
import { storeError, systemCode } from "./store-error.ts";
import { isStoreId } from "./store-id.ts";

const suffix = ".json";
/** A longer file is none of ours. */
const maxFileBytes = 2 * 1024 * 1024;

export function grantsFolder(folder: string): string {
  return join(folder, "grants");
}

/** A small file of ours, or null: a symbolic link, or one that others may write, is not ours. */
function readOwn(path: string): { readonly text: string; readonly stamp: string } | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | noFollow);
    try {
      const stat = fstatSync(fd);
      if (!isOurs(stat)) return null;
      const bytes = Buffer.alloc(stat.size);
      const text = bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
      return { text, stamp: stampOf(stat) };
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

function isOurs(stat: Stats): boolean {
  if (!stat.isFile() || stat.size > maxFileBytes) return false;
  return process.platform === "win32" || (stat.mode & 0o022) === 0;
}

/** Another stamp: something was done to the file, or it is another one. */
function stampOf({ dev, ino, size, mode, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mode} ${mtimeMs} ${ctimeMs}`;
}

/** The stamp of what lies there now, null for nothing. */
function stampAt(path: string): string | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? null : stampOf(stat);
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
  const listOf = createLists(records);

  return {
    find(binding) {
      const { id, path } = placeOf(binding);
      const known = believed.get(path);
      // What is kept is asked each time: the same stamp needs no second reading.
      const stamp = stampAt(path);
      if (stamp === null) return null;
      if (known?.stamp === stamp) return known.grant;
      const read = readOwn(path);
      const grant = read === null ? null : (records.read(id, read.text)?.grant ?? null);
      if (read !== null && grant !== null) remember(believed, path, { stamp: read.stamp, grant });
      return grant;
    },
    conditional: (binding) => listOf(placeOf(binding).place, binding),
    allowedBefore(binding) {
      const found = readAll(records, placeOf(binding).place).sort(
        (a, b) => sameConfig(b, binding) - sameConfig(a, binding) || (a.grant.at < b.grant.at ? 1 : -1),
      );
      return found.map((one): GrantedTool => one.before);
    },
    async add(binding, definition) {
      const { id, place, path } = placeOf(binding);
      const grant = { id, at: new Date(clock.wall()).toISOString(), ...boundBy(binding) };
      try {
        if (grantVersion(readOwn(path)?.text ?? "") > newestGrantVersion) {
          throw new Error("a later version wrote it already");
        }
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

/** The binding alone: nothing else that an object holds is kept. */
function boundBy(binding: GrantBinding): GrantBinding {
  const { principal, server, tool, configHash, definitionHash, rule, conditions } = binding;
  const bound = { principal, server, tool, configHash, definitionHash, rule };
  return conditions === undefined ? bound : { ...bound, conditions };
}

interface Place {
  readonly id: string;
  /** The folder of the tool's grants. */
  readonly place: string;
  readonly path: string;
}

/** A file that was checked. */
interface Believed {
  readonly stamp: string;
  readonly grant: StoredGrant;
}

/** A folder that changed so shortly before it was read may change again without another stamp. */
const settledAfterMs = 100;

/** The grants with conditions in a tool's folder, by what else they are bound to; read again once the folder changed. */
function createLists(
  records: GrantRecords,
): (place: string, binding: GrantBinding) => readonly StoredGrant[] {
  const lists = new Map<string, { readonly stamp: string; readonly byBinding: Map<string, StoredGrant[]> }>();
  return (place, binding) => {
    const stamp = stampAt(place);
    if (stamp === null) return [];
    const known = lists.get(place);
    if (known?.stamp === stamp) return known.byBinding.get(unconditional(binding)) ?? [];
    const byBinding = new Map<string, StoredGrant[]>();
    for (const { grant } of readAll(records, place)) {
      if (grant.conditions === undefined) continue;
      const bound = unconditional(grant);
      const others = byBinding.get(bound);
      if (others === undefined) byBinding.set(bound, [grant]);
      else others.push(grant);
    }
    if (isSettled(place)) remember(lists, place, { stamp, byBinding });
    return byBinding.get(unconditional(binding)) ?? [];
  };
}

function unconditional(binding: GrantBinding): string {
  const { principal, server, tool, configHash, definitionHash, rule } = binding;
  return JSON.stringify([principal, server, tool, configHash, definitionHash, rule]);
}

function isSettled(place: string): boolean {
  return Date.now() - (statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > settledAfterMs;
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
    const { principal, server, tool, configHash, definitionHash, rule, conditions } = binding;
    const key = JSON.stringify([principal, server, tool, configHash, definitionHash, rule, conditions]);
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
  const read = readOwn(path);
  return read === null ? null : records.read(id, read.text);
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
    const same = grant.configHash === added.configHash && grant.rule === added.rule;
    if (same && grant.definitionHash !== added.definitionHash)
      rmSync(join(place, `${grant.id}${suffix}`), { force: true });
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
