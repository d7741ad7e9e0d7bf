import { readEnvironment } from "../config/environment.ts";
import { stateFolder } from "../config/state-folder.ts";
import { HostError } from "../errors.ts";
import { type Head, parseHeads } from "../stores/audit-heads.ts";
import { makeSigningKey, signatureCheck } from "../stores/audit-signature.ts";
import { type AuditReport, verifyAudit as verifyFolder } from "../stores/verify.ts";
import { currentHeads } from "../stores/verify-heads.ts";
import { missingAuditNote } from "./missing-audit.ts";

export type AuditHead = Head;

export interface VerifyAuditOptions {
  /** Heads kept elsewhere, as `auditHeads` gave them, one JSON object a line: what they name must still be there. */
  readonly against?: string;
  /** Public key in PEM form: every file must be covered by a head that its owner signed. */
  readonly publicKey?: string;
}

/**
 * Checks every file of an audit log against its own chain and against its heads: finds each change, removal,
 * reordering and truncation. `folder` is the state folder that a host used; without one, the default. Rejects with
 * `config_invalid` when the heads or the key cannot be read, with `store_failed` when the log cannot.
 */
export async function verifyAudit(
  folder?: string,
  { against, publicKey }: VerifyAuditOptions = {},
): Promise<AuditReport> {
  const looked = folder ?? stateFolder(readEnvironment());
  const report = await verifyFolder(looked, {
    ...(against === undefined ? {} : { kept: keptHeads(against) }),
    ...(publicKey === undefined ? {} : { isSigned: signatureCheck(publicKey) }),
  });
  if (report.files.length > 0) return report;
  const note = await missingAuditNote(looked, folder !== undefined);
  return note === undefined ? report : { ...report, note };
}

function keptHeads(text: string): readonly Head[] {
  const { heads, unreadable } = parseHeads(text);
  if (unreadable === 0 && heads.length > 0) return heads;
  const problem = unreadable === 0 ? "no head is in it" : `${unreadable} of its lines are no heads`;
  throw new HostError(
    "config_invalid",
    `The kept heads cannot be read: ${problem}. \`drawbridge audit head\` writes them.`,
  );
}

/**
 * The newest record of each file of an audit log, the oldest file first: whoever keeps them elsewhere can tell later
 * that nothing before them was changed or removed. Rejects with `store_failed`.
 */
export function auditHeads(folder: string = stateFolder(readEnvironment())): Promise<readonly AuditHead[]> {
  return currentHeads(folder);
}

/**
 * Makes an Ed25519 key for `audit.sign` in a new file for the owner alone. Returns its public half in PEM form, which
 * belongs elsewhere.
 * @throws HostError `config_invalid`: the file is there already, or cannot be written
 */
export function createAuditKey(path: string): string {
  return makeSigningKey(path);
}
