import { dirname, resolve } from "node:path";
import type { Node } from "jsonc-parser";
import type { AuditSettings, Setting } from "../../types/settings.ts";
import type { Report } from "./document.ts";
import type { KeySchema } from "./key-schema.ts";
import { type Located, locatedFlag, member, number, text } from "./members.ts";
import { originIn } from "./origin.ts";
import type { FileSettings } from "./read-settings.ts";

export const auditSchema: KeySchema = {
  type: "object",
  description:
    "How the audit log is kept. A project's file may only set arguments to hash and required to true: it makes the log stricter, never looser.",
  additionalProperties: false,
  properties: {
    arguments: {
      type: "string",
      enum: ["redacted", "hash"],
      default: "redacted",
      description:
        "What is kept of the arguments of calls: redacted with known secrets replaced, or a keyed hash alone.",
    },
    required: {
      type: "boolean",
      default: true,
      description:
        "Whether calls are refused while the log cannot be written. false: a warning says so once.",
    },
    sign: {
      type: "string",
      minLength: 1,
      description:
        "File with an Ed25519 private key, as drawbridge audit keygen makes it: the heads of the log are signed. A relative path starts at this file. Not in a project's file.",
      examples: ["audit-key.pem"],
    },
    rotateBytes: {
      type: "integer",
      minimum: 4096,
      default: 67_108_864,
      description: "A file of the log that is this long is followed by a new one. Not in a project's file.",
    },
  },
};

/** The audit keys of one file. */
export interface FileAudit {
  readonly arguments?: Located<string>;
  readonly required?: Located<boolean>;
  readonly sign?: Located<string>;
  readonly rotateBytes?: Located<number>;
}

/** Of a document that was checked against the schema. */
export function readAudit(node: Node | undefined): FileAudit {
  const [kept, sign] = ["arguments", "sign"].map((key) => text(member(node, key)));
  const rotateBytes = number(member(node, "rotateBytes"));
  const required = locatedFlag(member(node, "required"));
  return {
    ...(kept === undefined ? {} : { arguments: kept }),
    ...(required === undefined ? {} : { required }),
    ...(sign === undefined ? {} : { sign }),
    ...(rotateBytes === undefined ? {} : { rotateBytes }),
  };
}

/** What a project's file says that it may not. */
function reportLooser({ document, audit }: FileSettings, userFile: string, report: Report): void {
  const complain = (offset: number, problem: string): void => {
    report.problems.push(`${document.placeOf(offset)}: ${problem}`);
  };
  for (const key of ["sign", "rotateBytes"] as const) {
    const found = audit[key];
    if (found === undefined) continue;
    complain(
      found.offset,
      `audit.${key} cannot be set by a project's file; move it to your own, ${userFile}.`,
    );
  }
  const stricter = "a project's file may only make the audit log stricter; move it to your own";
  if (audit.arguments?.value === "redacted") complain(audit.arguments.offset, `${stricter}, ${userFile}.`);
  if (audit.required?.value === false) complain(audit.required.offset, `${stricter}, ${userFile}.`);
}

/** What of a file this part needs. */
type AuditedFile = Pick<FileSettings, "document" | "audit">;

/** A key of the last of some files that has it. */
function lastSetting<T>(
  files: readonly AuditedFile[],
  of: (audit: FileAudit) => Located<T> | undefined,
): Setting<T> | undefined {
  const file = files.findLast(({ audit }) => of(audit) !== undefined);
  const found = file === undefined ? undefined : of(file.audit);
  if (file === undefined || found === undefined) return undefined;
  return { value: found.value, origin: originIn(file.document, found.offset) };
}

/**
 * What all files say together: a project's word is the stricter one, so it wins over a person's where it may speak at
 * all; an administrator's holds.
 */
export function mergeAudit(
  files: readonly FileSettings[],
  administrator: AuditedFile | null,
  userFile: string,
  report: Report,
): AuditSettings {
  const project = files.filter(({ document }) => document.scope === "project");
  const above = administrator === null ? [] : [administrator];
  const user: readonly AuditedFile[] = [
    ...files.filter(({ document }) => document.scope === "user"),
    ...above,
  ];
  for (const file of project) reportLooser(file, userFile, report);
  const ordered = [...user, ...project, ...above];
  const kept = lastSetting(ordered, ({ arguments: found }) => found);
  const required = lastSetting(ordered, (audit) => audit.required);
  const signing = user.findLast(({ audit }) => audit.sign !== undefined);
  const sign = lastSetting(user, (audit) => audit.sign);
  const rotateBytes = lastSetting(user, (audit) => audit.rotateBytes);
  return {
    ...(kept && { arguments: { ...kept, value: kept.value === "hash" ? "hash" : "redacted" } }),
    ...(required && { required }),
    ...(sign && signing && { sign: { ...sign, value: resolve(dirname(signing.document.path), sign.value) } }),
    ...(rotateBytes && { rotateBytes }),
  };
}
