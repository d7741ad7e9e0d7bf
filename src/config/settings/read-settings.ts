import { basename } from "node:path";
import type { ModelPrice } from "../../types/price.ts";
import { type FileAudit, readAudit } from "./audit-settings.ts";
import { checkSettings } from "./check.ts";
import type { Report, SettingsDocument } from "./document.ts";
import { type Located, locatedFlag, member, membersOf, number, text, texts } from "./members.ts";
import { type FilePolicy, readPolicy } from "./policy-settings.ts";
import { readPrices } from "./read-prices.ts";
import { settingsSchema, sharedSchema } from "./schema.ts";
import { reportOwnKeys, reportUserKeys } from "./scope.ts";
import { readServers, type ServerEntry } from "./server-entry.ts";

/** What one file says. */
export interface FileSettings {
  readonly document: SettingsDocument;
  readonly servers: readonly ServerEntry[];
  readonly model?: Located<string>;
  readonly baseUrl?: Located<string>;
  readonly system?: Located<string>;
  readonly maxTokens?: Located<number>;
  readonly resourceTools?: Located<boolean>;
  readonly wrapResults?: Located<boolean>;
  readonly flows?: Located<"ask" | "off">;
  readonly limits: readonly (readonly [name: string, limit: Located<number>])[];
  readonly policy: FilePolicy;
  readonly trust: readonly Located<string>[];
  readonly fallbackModels: readonly Located<string>[];
  readonly prices: readonly (readonly [model: string, price: Located<ModelPrice>])[];
  readonly audit: FileAudit;
}

/** Says what is wrong with a rule, or null. The rules' grammar is not the config's. */
export type CheckRule = (rule: string, scope: SettingsDocument["scope"]) => string | null;

function isSharedFile(path: string): boolean {
  return ["mcp.json", ".mcp.json"].includes(basename(path));
}

/** Reads a parsed file; what is wrong goes into the report. Null when its form is not right, so that nothing can be read. */
export function readSettings(
  document: SettingsDocument,
  userFile: string,
  checkRule: CheckRule,
  report: Report,
): FileSettings | null {
  const before = report.problems.length;
  const shared = isSharedFile(document.path);
  if (shared) reportOwnKeys(document, report);
  checkSettings(document, shared ? sharedSchema : settingsSchema, report);
  if (report.problems.length > before) return null;
  if (document.scope === "project") reportUserKeys(document, userFile, report);
  const { root } = document;
  const [model, baseUrl, system] = ["model", "baseUrl", "system"].map((key) => text(member(root, key)));
  const maxTokens = number(member(root, "maxTokens"));
  const resourceTools = locatedFlag(member(root, "resourceTools"));
  const wrapResults = locatedFlag(member(root, "wrapResults"));
  const flows = readFlows(text(member(member(root, "policy"), "flows")));
  const policy = readPolicy(document, checkRule, report);
  if (baseUrl !== undefined && !isBaseUrl(baseUrl.value)) {
    report.problems.push(
      `${document.placeOf(baseUrl.offset)}: baseUrl must be an http or https URL without a user name or password.`,
    );
  }
  return {
    document,
    servers: readServers(document, report),
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(system === undefined ? {} : { system }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(resourceTools === undefined ? {} : { resourceTools }),
    ...(wrapResults === undefined ? {} : { wrapResults }),
    ...(flows === undefined ? {} : { flows }),
    limits: membersOf(member(root, "limits")).flatMap(([name, node]) => {
      const limit = number(node);
      return limit === undefined ? [] : [[name, limit] as const];
    }),
    policy,
    trust: texts(member(root, "trust")),
    fallbackModels: texts(member(root, "fallbackModels")),
    prices: readPrices(member(root, "prices")),
    audit: readAudit(member(root, "audit")),
  };
}

function readFlows(found: Located<string> | undefined): Located<"ask" | "off"> | undefined {
  if (found === undefined) return undefined;
  return { offset: found.offset, value: found.value === "off" ? "off" : "ask" };
}

function isBaseUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
