import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Agreement } from "../types/settings.ts";
import { isObject } from "../util/own.ts";
import { compareCodeUnits } from "../util/stable-json.ts";
import { ensureFolder, writeWhole } from "./private-file.ts";
import { ForeignFileError, readOwnFile } from "./read-own-file.ts";
import { storeError, systemCode } from "./store-error.ts";

/** Agreements kept in a folder, one file each, named after the config hash: writers never meet in one file. */
export interface AgreementsFolder {
  /** Rejects with `store_failed`. */
  put(agreement: Agreement): Promise<void>;
  /** Never rejects: what cannot be read was not agreed. */
  list(): Promise<readonly Agreement[]>;
  /** Removes all of the server; how many there were. Rejects with `store_failed`. */
  remove(server: string): Promise<number>;
}

const fileName = /^([0-9a-f]{64})\.json$/;
/** A longer file is none of ours. */
const maxFileBytes = 64 * 1024;

export function openAgreementsFolder(folder: string): AgreementsFolder {
  async function list(): Promise<readonly Agreement[]> {
    const names = await readdir(folder).catch(() => []);
    const read = await Promise.all(names.map((name) => readAgreement(folder, name)));
    return read
      .filter((agreement) => agreement !== null)
      .sort((a, b) => compareCodeUnits(a.server, b.server) || compareCodeUnits(a.agreedAt, b.agreedAt));
  }

  async function put(agreement: Agreement): Promise<void> {
    const path = fileOf(folder, agreement.configHash);
    try {
      ensureFolder(folder);
      await writeWhole(path, `${JSON.stringify(agreement)}\n`);
    } catch (error) {
      throw storeError("store_failed", "The agreement cannot be stored", path, error);
    }
  }

  async function remove(server: string): Promise<number> {
    const found = (await list()).filter((agreement) => agreement.server === server);
    for (const { configHash } of found) {
      const path = fileOf(folder, configHash);
      await rm(path, { force: true }).catch((error: unknown) => {
        throw storeError("store_failed", "The agreement cannot be taken back", path, error);
      });
    }
    return found.length;
  }

  return { list, put, remove };
}

function fileOf(folder: string, configHash: string): string {
  return join(folder, `${configHash}.json`);
}

/** Null for what is damaged, foreign, or says another hash than its name. */
async function readAgreement(folder: string, name: string): Promise<Agreement | null> {
  const hash = fileName.exec(name)?.[1];
  if (hash === undefined) return null;
  try {
    const text = await readOwnFile(join(folder, name), { maxBytes: maxFileBytes, othersMayWrite: true });
    const found = parseAgreement(text);
    return found?.configHash === hash ? found : null;
  } catch (error) {
    // Gone since the folder was listed, or not ours to read: either way not agreed.
    if (error instanceof ForeignFileError || error instanceof SyntaxError || systemCode(error) !== "")
      return null;
    throw error;
  }
}

function parseAgreement(text: string): Agreement | null {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) return null;
  const { configHash, server, file, agreedAt, annotations } = value;
  if (typeof configHash !== "string" || typeof server !== "string" || typeof file !== "string") return null;
  if (typeof agreedAt !== "string") return null;
  return { configHash, server, file, agreedAt, annotations: annotations === true };
}
