import { statSync } from "node:fs";
import { HostError } from "../errors.ts";
import { type GrantFile, grantsFolder, listGrantFiles, removeGrantFile } from "../stores/grant-files.ts";
import { hashKeyPath, loadHashKey } from "../stores/hash-key.ts";
import { storeError, systemCode } from "../stores/store-error.ts";
import type { StoredGrant } from "../types/grants.ts";
import { placeOf, type StateOptions } from "./stored-conversations.ts";

export interface GrantList {
  /** The newest first. */
  readonly grants: readonly StoredGrant[];
  /** Ids of files that are no grants any more, because they were changed, or not yet, because a later version wrote them. */
  readonly unreadable: readonly string[];
}

/** Exactly one of `ids`, `server` and `all` says which grants are to go. */
export interface RevokeGrantsOptions extends StateOptions {
  readonly ids?: readonly string[];
  readonly server?: string;
  /** Raw name; only with `server`. */
  readonly tool?: string;
  /** All of the principal's, and the unreadable ones. */
  readonly all?: boolean;
}

export interface RevokeReport {
  /** Ids of the grants that are gone. */
  readonly revoked: readonly string[];
  /** Ids that were asked for and are not there. */
  readonly missing: readonly string[];
}

/** What a person has allowed for good. Rejects with `store_failed`. */
export async function listGrants(options: StateOptions = {}): Promise<GrantList> {
  const files = await filesOf(options);
  const grants = files.flatMap(({ grant }) => (grant === null ? [] : [grant]));
  return {
    grants: grants.sort((a, b) => (a.at < b.at ? 1 : -1)),
    unreadable: files.flatMap(({ id, grant }) => (grant === null ? [id] : [])),
  };
}

/** Takes grants back. Hosts that run are bound to it with their next call. Rejects with `input_invalid` and `store_failed`. */
export async function revokeGrants(options: RevokeGrantsOptions): Promise<RevokeReport> {
  const { ids, server, tool, all } = options;
  const ways = [ids !== undefined, server !== undefined, all === true].filter(Boolean).length;
  if (ways !== 1 || (tool !== undefined && server === undefined)) {
    throw new HostError(
      "input_invalid",
      "Say which grants: one of ids, server (with tool, if you like) and all.",
    );
  }
  const files = await filesOf(options);
  const wanted = files.filter(({ id, grant }) => {
    if (ids !== undefined) return ids.includes(id);
    if (all === true) return true;
    return grant?.server === server && (tool === undefined || grant?.tool === tool);
  });
  for (const { path } of wanted) removeGrantFile(path);
  const revoked = wanted.map(({ id }) => id);
  return { revoked, missing: (ids ?? []).filter((id) => !revoked.includes(id)) };
}

/** The principal's, and those that nobody can say whose they are. */
async function filesOf(options: StateOptions): Promise<readonly GrantFile[]> {
  const { folder, principal } = placeOf(options);
  // Looking leaves nothing behind.
  if (!isThere(grantsFolder(folder))) return [];
  const files = listGrantFiles(folder, await loadHashKey(hashKeyPath(folder)));
  return files.filter(({ grant }) => grant === null || grant.principal === principal);
}

/** Whether the folder is there: one that may not be looked at is not one without grants. Throws `store_failed`. */
function isThere(folder: string): boolean {
  try {
    statSync(folder);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return false;
    throw storeError("store_failed", "The grants cannot be read", folder, error);
  }
}
