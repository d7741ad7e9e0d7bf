import type { AuditExportCommand } from "../../commands/audit/export.ts";
import type { AuditFilters } from "../../commands/audit/filters.ts";
import type { AuditKeygenCommand } from "../../commands/audit/keygen.ts";
import type { AuditListCommand } from "../../commands/audit/list.ts";
import type { AuditShowCommand } from "../../commands/audit/show.ts";
import type { AuditVerifyCommand } from "../../commands/audit/verify.ts";
import { wholeNumber } from "../host-options.ts";
import { type CommandEntry, defineCommand, type OptionSpec, usageError, type Words } from "../spec.ts";
import { quoted } from "../words.ts";

const decisions = ["allow", "deny"] as const;
const outcomes = ["answered", "error", "failed", "unknown"] as const;
const formats = ["jsonl", "csv"] as const;

/** One of some words, or undefined without the option. */
function readWord<W extends string>(words: Words, option: string, known: readonly W[]): W | undefined {
  const text = words.value(option);
  if (text === undefined) return undefined;
  const found = known.find((word) => word === text);
  if (found !== undefined) return found;
  const list = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  throw usageError(`--${option} takes ${list}, not ${quoted(text)}.`);
}

const filterOptions: readonly OptionSpec[] = [
  { name: "since", value: "TIME", help: "only calls from then on: 30m, 2h, 7d, or a date" },
  { name: "until", value: "TIME", help: "only calls before then" },
  { name: "run", value: "ID", help: "only calls of this run" },
  { name: "server", value: "ID", help: "only calls of this server" },
  { name: "tool", value: "NAME", help: "only calls of this tool, by its server's name for it" },
  {
    name: "decision",
    value: "WORD",
    help: "only calls with this decision: allow or deny",
    complete: decisions,
  },
  {
    name: "outcome",
    value: "WORD",
    help: "only calls that ended so: answered, error, failed or unknown",
    complete: outcomes,
  },
];

function readFilters(words: Words): AuditFilters {
  const texts = ["run", "server", "tool", "since", "until"].flatMap((name) => {
    const value = words.value(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const decision = readWord(words, "decision", decisions);
  const outcome = readWord(words, "outcome", outcomes);
  return {
    ...Object.fromEntries(texts),
    ...(decision === undefined ? {} : { decision }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

export const auditListSpec: CommandEntry = defineCommand<AuditListCommand>({
  name: "audit list",
  section: "Look",
  summary: "the calls of the audit log, the newest first",
  words: [],
  options: [
    { name: "limit", value: "N", help: "most calls (default: 20)" },
    ...filterOptions,
    { name: "json", help: "write them as one JSON array" },
  ],
  about: [
    "Prints the calls in the audit log: which tool with which arguments, who or which rule decided, and how it ended.",
  ],
  example: "drawbridge audit list --since 2h --decision deny",
  exits: { answered: "listed", usage: true },
  read(words) {
    const limit = wholeNumber(words, "limit", 999_999);
    return { ...(limit === undefined ? {} : { limit }), ...readFilters(words), json: words.has("json") };
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
  options: [
    {
      name: "against",
      value: "FILE",
      help: "heads that drawbridge audit head wrote: they must still be there",
      complete: "file",
    },
    {
      name: "public-key",
      value: "FILE",
      help: "the public key of audit.sign: every file must be covered by its signature",
      complete: "file",
    },
    { name: "json", help: "write the report as one JSON document" },
  ],
  about: [
    "Checks the audit log in the state folder: every record is chained to the one before it by a hash, so that a record that was changed, removed or moved is found.",
    "Whoever can write the state folder can write the whole log anew. Heads that are kept on another machine (--against), or signed with a key that is not there (--public-key), find that too.",
  ],
  example: "drawbridge audit verify --against kept-heads.jsonl",
  exits: { answered: "unchanged", failed: "something was changed, or the log cannot be read", usage: true },
  read(words) {
    const [against, publicKey] = ["against", "public-key"].map(words.value);
    return {
      ...(against === undefined ? {} : { against }),
      ...(publicKey === undefined ? {} : { publicKey }),
      json: words.has("json"),
    };
  },
  load: async () => (await import("../../commands/audit/verify.ts")).verifyAuditLog,
});

export const auditExportSpec: CommandEntry = defineCommand<AuditExportCommand>({
  name: "audit export",
  section: "Look",
  summary: "all calls of the audit log, for other programs",
  words: [],
  options: [
    { name: "format", value: "WORD", help: "jsonl, which is the default, or csv", complete: formats },
    ...filterOptions,
  ],
  about: [
    "Writes the calls in the audit log, the newest first: as JSON, one call a line, or as comma-separated values with a line of names.",
    "In CSV, a text that begins with =, +, -, @, a tab or a line break gets a quote in front, so that no spreadsheet calculates it; control characters are written as escapes. JSON holds everything as it is.",
  ],
  example: "drawbridge audit export --format csv --since 7d",
  exits: { answered: "written", usage: true },
  read: (words) => ({ format: readWord(words, "format", formats) ?? "jsonl", ...readFilters(words) }),
  load: async () => (await import("../../commands/audit/export.ts")).exportAudit,
});

export const auditHeadSpec: CommandEntry = defineCommand<object>({
  name: "audit head",
  section: "Look",
  summary: "the newest record of each audit file, for keeping elsewhere",
  words: [],
  options: [],
  about: [
    "Prints the number and the hash of the newest record of each file of the audit log, one JSON object a line. Keep it on another machine: drawbridge audit verify --against FILE says later whether all of it is still there.",
  ],
  example: "drawbridge audit head",
  exits: { answered: "printed" },
  read: () => ({}),
  load: async () => (await import("../../commands/audit/head.ts")).printHeads,
});

export const auditKeygenSpec: CommandEntry = defineCommand<AuditKeygenCommand>({
  name: "audit keygen",
  section: "Set up",
  summary: "make a key that signs the audit log",
  words: [{ name: "FILE", complete: "file" }],
  options: [],
  about: [
    "Makes an Ed25519 key in a new file that only you can read, and prints its public half. With audit.sign in your config file the heads of the audit log are signed with it.",
  ],
  example: "drawbridge audit keygen audit-key.pem",
  exits: { answered: "made", usage: "the file is there already, or cannot be written" },
  read: (words) => ({ file: words.positionals[0] ?? "" }),
  load: async () => (await import("../../commands/audit/keygen.ts")).makeAuditKey,
});
