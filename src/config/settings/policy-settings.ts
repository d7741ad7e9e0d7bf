import type { PolicySettings, Setting } from "../../types/settings.ts";
import type { Report, SettingsDocument } from "./document.ts";
import { type Located, member, texts } from "./members.ts";
import { originIn } from "./origin.ts";
import type { CheckRule } from "./read-settings.ts";

/** The rules of one file. */
export interface FilePolicy {
  readonly rules: readonly Located<string>[];
  /** Absent: nothing is tried out. */
  readonly shadowRules?: readonly Located<string>[];
}

/** Of a document that was checked against its schema: every rule that is not valid goes into the report. */
export function readPolicy(document: SettingsDocument, checkRule: CheckRule, report: Report): FilePolicy {
  const node = member(document.root, "policy");
  const tried = member(node, "shadowRules");
  const [rules, shadowRules] = [texts(member(node, "rules")), texts(tried)];
  for (const { value, offset } of [...rules, ...shadowRules]) {
    const problem = checkRule(value, document.scope);
    if (problem !== null) report.problems.push(`${document.placeOf(offset)}: ${problem}`);
  }
  return { rules, ...(tried === undefined ? {} : { shadowRules }) };
}

interface PolicyFile {
  readonly document: SettingsDocument;
  readonly policy: FilePolicy;
}

/** The rules of all tiers, each with its file and line. */
export function mergePolicy(files: readonly PolicyFile[], administrator: PolicyFile | null): PolicySettings {
  const of = (scope: SettingsDocument["scope"]) => files.filter(({ document }) => document.scope === scope);
  const rulesOf = (some: readonly PolicyFile[]) =>
    some.flatMap((file) => settingsOf(file, file.policy.rules));
  const shadowRules = triedOf(of("user"));
  const administratorShadowRules = triedOf(administrator === null ? [] : [administrator]);
  return {
    rules: rulesOf(of("user")),
    projectRules: rulesOf(of("project")),
    ...(administrator === null ? {} : { administratorRules: rulesOf([administrator]) }),
    ...(shadowRules === null ? {} : { shadowRules }),
    ...(administratorShadowRules === null ? {} : { administratorShadowRules }),
  };
}

/** Null where no file tries any out: none at all is something to try out, too. */
function triedOf(files: readonly PolicyFile[]): readonly Setting<string>[] | null {
  const trying = files.filter(({ policy }) => policy.shadowRules !== undefined);
  if (trying.length === 0) return null;
  return trying.flatMap((file) => settingsOf(file, file.policy.shadowRules ?? []));
}

function settingsOf({ document }: PolicyFile, found: readonly Located<string>[]): readonly Setting<string>[] {
  return found.map(({ value, offset }) => ({ value, origin: originIn(document, offset) }));
}
