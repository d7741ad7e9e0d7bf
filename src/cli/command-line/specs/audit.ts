import type { AuditListCommand } from "../../commands/audit/list.ts";
import type { AuditShowCommand } from "../../commands/audit/show.ts";
import type { AuditVerifyCommand } from "../../commands/audit.ts";
import { wholeNumber } from "../host-options.ts";
import { type CommandEntry, defineCommand, usageError, type Words } from "../spec.ts";
import { quoted } from "../words.ts";

const decisions = ["allow", "deny"] as const;

function readDecision(words: Words): { decision?: (typeof decisions)[number] } {
  const text = words.value("decision");
  if (text === undefined) return {};
  const decision = decisions.find((word) => word === text);
  if (decision === undefined) throw usageError(`--decision takes allow or deny, not ${quoted(text)}.`);
  return { decision };
}

export const auditListSpec: CommandEntry = defineCommand<AuditListCommand>({
  name: "audit list",
  section: "Look",
  summary: "the calls of the audit log, the newest first",
  words: [],
  options: [
    { name: "limit", value: "N", help: "most calls (default: 20)" },
    { name: "since", value: "TIME", help: "only calls from then on: 30m, 2h, 7d, or a date" },
    { name: "run", value: "ID", help: "only calls of this run" },
    { name: "server", value: "ID", help: "only calls of this server" },
    {
      name: "decision",
      value: "WORD",
      help: "only calls with this decision: allow or deny",
      complete: decisions,
    },
    { name: "json", help: "write them as one JSON array" },
  ],
  about: [
    "Prints the calls in the audit log: which tool with which arguments, who or which rule decided, and how it ended.",
  ],
  example: "drawbridge audit list --since 2h --decision deny",
  exits: { answered: "listed", usage: true },
  read(words) {
    const limit = wholeNumber(words, "limit", 999_999);
    const [run, server, since] = ["run", "server", "since"].map(words.value);
    return {
      ...(limit === undefined ? {} : { limit }),
      ...(run === undefined ? {} : { run }),
      ...(server === undefined ? {} : { server }),
      ...(since === undefined ? {} : { since }),
      ...readDecision(words),
      json: words.has("json"),
    };
  },
  load: async () => (await import("../../commands/audit/list.ts")).listAudit,
});

export const auditShowSpec: CommandEntry = defineCommand<AuditShowCommand>({
  name: "audit show",
  section: "Look",
  summary: "every record of one run or call",
  words: [{ name: "ID" }],
  options: [{ name: "json", help: "write them as one JSON document" }],
  about: [
    "Prints what the audit log says of one run or one call. ID is the id of a run or a call, or a record as drawbridge audit list numbers it: SEQ or FILE:SEQ.",
  ],
  example: "drawbridge audit show run_1f2e3d4c5b6a7988",
  exits: { answered: "shown", usage: "there is no such run, call or record" },
  read: (words) => ({ selector: words.positionals[0] ?? "", json: words.has("json") }),
  load: async () => (await import("../../commands/audit/show.ts")).showAudit,
});

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
