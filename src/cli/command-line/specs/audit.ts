import type { AuditVerifyCommand } from "../../commands/audit.ts";
import { type CommandEntry, defineCommand } from "../spec.ts";

export const auditVerifySpec: CommandEntry = defineCommand<AuditVerifyCommand>({
  name: "audit verify",
  section: "Look",
  summary: "check that the audit log was not changed",
  words: [],
  options: [{ name: "json", help: "write the report as one JSON document" }],
  about: [
    "Checks the audit log in the state folder: every record is chained to the one before it by a hash, so that a record that was changed, removed or moved is found.",
  ],
  example: "drawbridge audit verify",
  exits: { answered: "unchanged", failed: "something was changed", usage: true },
  read: (words) => ({ json: words.has("json") }),
  load: async () => (await import("../../commands/audit.ts")).verifyAuditLog,
});
