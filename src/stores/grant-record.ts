import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { ArgumentCondition, GrantBinding, GrantedTool, StoredGrant } from "../types/grants.ts";
import type { Json } from "../types/json.ts";
import type { ServerTool } from "../types/tool.ts";
import { isObject } from "../util/own.ts";
import { stableJson } from "../util/stable-json.ts";

/** Longer definitions are not kept: a change of them is told without what it is. */
const maxDefinitionChars = 256 * 1024;

/**
 * A grant as the text of a file: what it is bound to, a keyed hash of that, and the definition of the tool. Without
 * the key nobody can write one that is believed; without its hash the definition is not believed.
 */
export interface GrantRecords {
  idOf(binding: GrantBinding): string;
  /** The folder of all grants of a tool. */
  folderOf(binding: Pick<GrantBinding, "principal" | "server" | "tool">): string;
  write(grant: StoredGrant, definition: ServerTool): string;
  /** Null for what was not written here, or is not what its id says. */
  read(id: string, text: string): ReadGrant | null;
}

export interface ReadGrant {
  readonly grant: StoredGrant;
  readonly before: GrantedTool;
}

export function createGrantRecords(key: Uint8Array): GrantRecords {
  /** The purpose keeps these hashes apart from those of other records under the same key. */
  const keyed = (purpose: string, text: string): string =>
    createHmac("sha256", key).update(`grant ${purpose}\n${text}`).digest("hex");

  function idOf({
    principal,
    server,
    tool,
    configHash,
    definitionHash,
    rule,
    conditions,
  }: GrantBinding): string {
    const more = conditions === undefined ? [] : [conditions as unknown as Json];
    const bound = stableJson([principal, server, tool, configHash, definitionHash, rule, ...more]);
    return `grant_${keyed("id", bound).slice(0, 32)}`;
  }

  return {
    idOf,
    folderOf: ({ principal, server, tool }) =>
      keyed("tool", stableJson([principal, server, tool])).slice(0, 32),
    write(grant, definition) {
      const text = JSON.stringify(definition);
      const kept = text.length <= maxDefinitionChars ? text : "null";
      const line = JSON.stringify({ v: versionOf(grant), ...grant, definition: sha256(kept) });
      return `${line}\n${keyed("record", line)}\n${kept}\n`;
    },
    read(id, text) {
      const [line = "", hash = "", definition = ""] = text.split("\n", 3);
      if (!same(hash, keyed("record", line))) return null;
      const grant = parseGrant(line);
      if (grant === null || grant.id !== id || idOf(grant) !== id) return null;
      const { configHash, definitionHash } = grant;
      return {
        grant,
        before: { configHash, definitionHash, definition: parseTool(definition, line), at: grant.at },
      };
    },
  };
}

/**
 * Newest version of a grant's file that is read here. The second one had conditions, but did not say which other
 * arguments a call may have: such a grant allows nothing, and is asked again.
 */
export const newestGrantVersion = 3;

/** A version that knows no conditions must not read a grant that has some. */
function versionOf({ conditions }: GrantBinding): number {
  return conditions === undefined ? 1 : newestGrantVersion;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The version that a file says it has, whoever wrote it; 0 when it says none. */
export function grantVersion(text: string): number {
  const record = parse(text.split("\n", 1)[0] ?? "");
  return isObject(record) && typeof record.v === "number" ? record.v : 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function parseGrant(line: string): StoredGrant | null {
  const record = parse(line);
  if (!isObject(record)) return null;
  const { v, id, at, principal, server, tool, configHash, definitionHash, rule, conditions } = record;
  if (typeof id !== "string" || typeof at !== "string" || typeof principal !== "string") return null;
  if (typeof server !== "string" || typeof tool !== "string" || typeof rule !== "string") return null;
  if (typeof configHash !== "string" || typeof definitionHash !== "string") return null;
  const grant = { id, at, principal, server, tool, configHash, definitionHash, rule };
  if (v === 1 && conditions === undefined) return grant;
  if (v !== newestGrantVersion || !Array.isArray(conditions)) return null;
  // The keyed hash of the line was checked: what they are was checked when it was written.
  return { ...grant, conditions: conditions as readonly ArgumentCondition[] };
}

/** The line was checked already; the definition only counts when it is the one that the line names. */
function parseTool(text: string, line: string): ServerTool | null {
  const record = parse(line);
  if (!isObject(record) || record.definition !== sha256(text)) return null;
  return parse(text) as ServerTool | null;
}
