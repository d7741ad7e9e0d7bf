import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { visibleLine } from "../util/visible.ts";

/** What only those have written who have written an audit log too, unless it was off. */
const kept = ["runs", "grants"];

/**
 * Why an audit log that is not there may have been there, in a sentence: its state folder was used. A folder that was
 * named and is not there is told as well. Undefined for neither.
 */
export async function missingAuditNote(folder: string, isNamed: boolean): Promise<string | undefined> {
  const shown = visibleLine(folder);
  if (!existsSync(folder)) return isNamed ? `The state folder ${shown} is not there.` : undefined;
  const names: readonly string[] = await readdir(folder).catch(() => []);
  const used = kept.filter((name) => names.includes(name)).map((name) => join(shown, name));
  if (used.length === 0) return undefined;
  return `Hosts have used this state folder (${used.join(", ")}): unless auditing was always off, its audit log was removed.`;
}
