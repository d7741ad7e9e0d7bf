import { readEnvironment } from "../config/environment.ts";
import { stateFolder } from "../config/state-folder.ts";
import { type AuditReport, verifyAudit as verifyFolder } from "../stores/verify.ts";

/**
 * Checks every file of an audit log against its own chain and against its heads: finds each change, removal,
 * reordering and truncation. `folder` is the state folder that a host used; without one, the default.
 */
export function verifyAudit(folder: string = stateFolder(readEnvironment())): Promise<AuditReport> {
  return verifyFolder(folder);
}
