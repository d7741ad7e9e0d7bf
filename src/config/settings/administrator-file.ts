import { lstat, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { HostError } from "../../errors.ts";
import { administratorSchema } from "./administrator-schema.ts";
import { type FileAudit, readAudit } from "./audit-settings.ts";
import { checkSettings } from "./check.ts";
import { type Report, readSettingsFile, type SettingsDocument } from "./document.ts";
import { type Located, member, text } from "./members.ts";
import { parseSettings } from "./parse.ts";
import { placesOnPath } from "./places-on-path.ts";
import { type FilePolicy, readPolicy } from "./policy-settings.ts";
import type { CheckRule } from "./read-settings.ts";

/** What the administrator's file says. */
export interface AdministratorSettings {
  readonly document: SettingsDocument;
  readonly policy: FilePolicy;
  readonly audit: FileAudit;
  readonly flows?: Located<string>;
  readonly drift?: Located<string>;
}

/**
 * Reads the administrator's file; null when there is none. A file that is there and cannot be used ends the reading: a
 * host without rules that were meant for it does not start.
 * @throws HostError `config_invalid`, when it cannot be read, or others than an administrator can change it
 */
export async function readAdministratorFile(
  path: string,
  checkRule: CheckRule,
  report: Report,
): Promise<AdministratorSettings | null> {
  if (!(await isThere(path))) return null;
  const file = await realpath(path).catch(() => path);
  await refuseOthers(path, file);
  const content = await readSettingsFile(file, path);
  if (content === null) throw refused(path, "it cannot be read: it is a link to a file that is not there");
  const document = await parseSettings(content, { path, scope: "administrator", shown: path }, report);
  if (document === null) return null;
  const before = report.problems.length;
  checkSettings(document, administratorSchema, report);
  if (report.problems.length > before) return null;
  const drift = text(member(document.root, "drift"));
  const flows = text(member(member(document.root, "policy"), "flows"));
  return {
    document,
    policy: readPolicy(document, checkRule, report),
    audit: readAudit(member(document.root, "audit")),
    ...(flows === undefined ? {} : { flows }),
    ...(drift === undefined ? {} : { drift }),
  };
}

/** Whether there is anything of that name, if only a link that leads nowhere. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw refused(path, `it cannot be looked at (${code})`, error);
  }
}

/**
 * A file that anybody can write, or replace, is no administrator's: neither itself nor a folder on the way, nor a link, may
 * be others' to change. Above its own folder a folder for everybody's files will do, where nobody can take away what is
 * another's. What is the user's own is only not above the user.
 */
async function refuseOthers(path: string, file: string): Promise<void> {
  if (process.platform === "win32") return;
  const own = [0, process.getuid?.()];
  const places = await placesOnPath(path);
  if (places === null) throw refused(path, "it is a link that leads to itself");
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const near = new Set([folder, dirname(file), file]);
  for (const place of new Set([...near, ...places])) {
    // Where it is not there, reading says so.
    const found = await lstat(place).catch(() => null);
    if (found === null) continue;
    if (!own.includes(found.uid)) throw refused(path, `${place} must belong to root`);
    const isShared = !near.has(place) && (found.mode & sticky) !== 0;
    if (found.isSymbolicLink() || isShared) continue;
    if ((found.mode & 0o022) !== 0)
      throw refused(path, `others can write ${place}; take that away: chmod go-w`);
  }
}

/** Of a folder: only an entry's owner, and the folder's, may rename or remove it. */
const sticky = 0o1000;

function refused(path: string, problem: string, cause?: unknown): HostError {
  return new HostError("config_invalid", `${path}:1:1: ${problem}. Nothing starts without it.`, { cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}
