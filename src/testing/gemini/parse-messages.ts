import { isObject, own } from "../../util/own.ts";
import type { WireObject } from "../wire-server/api.ts";
import { type FieldKind, type MessageName, messages } from "./messages.ts";

/** What the API's parser does not take in a body. */
export interface ParseProblem {
  readonly type: "unknown_name" | "list" | "value";
  readonly message: MessageName;
  /** The place of the message that holds it, in the API's words. */
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
  /** The kind of value that the API wants there. */
  readonly wanted: string;
}

/** A body as the API reads it. */
export interface ParsedBody {
  /** With the names of fields in camel case, and without those that are null, which means the same as absent. */
  readonly body: WireObject;
  readonly problems: readonly ParseProblem[];
}

/** Reads a body by the messages that the API knows. What has a problem is left out. */
export function parseMessages(body: WireObject): ParsedBody {
  const problems: ParseProblem[] = [];
  return { body: readMessage(body, "GenerateContentRequest", "", problems), problems };
}

function readMessage(
  value: WireObject,
  message: MessageName,
  path: string,
  problems: ParseProblem[],
): WireObject {
  const fields = messages[message];
  const entries = Object.entries(value).flatMap(([given, member]) => {
    const name = own(fields, given) === undefined ? camel(given) : given;
    const field = own(fields, name);
    const problem = (type: ParseProblem["type"], wanted = ""): [] => {
      problems.push({ type, message, path, name: given, value: member, wanted });
      return [];
    };
    if (field === undefined) return problem("unknown_name");
    if (member === null) return [];
    const at = path === "" ? snake(name) : `${path}.${snake(name)}`;
    const read = readField(member, field, at, problems);
    if (read !== undefined) return [[name, read] as const];
    const single = field.kind !== "list" && field.kind !== "strings";
    return Array.isArray(member) && single ? problem("list") : problem("value", wantedBy(field));
  });
  return Object.fromEntries(entries);
}

/** The value of a field, or undefined when it is of the wrong kind. */
function readField(value: unknown, field: FieldKind, path: string, problems: ParseProblem[]): unknown {
  switch (field.kind) {
    case "any":
      return value;
    case "struct":
      return isObject(value) ? value : undefined;
    case "strings":
      return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
    case "message":
      return isObject(value) ? readMessage(value, field.message, path, problems) : undefined;
    case "list":
      if (!Array.isArray(value) || !value.every(isObject)) return undefined;
      return value.map((one, index) => readMessage(one, field.message, `${path}[${index}]`, problems));
    case "map":
      return isObject(value) ? readMap(value, field.message, path, problems) : undefined;
    case "number":
      return isNumber(value) ? Number(value) : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    default:
      return typeof value === "string" ? value : undefined;
  }
}

/** Entries of a map have numbers instead of their names in the API's words. */
function readMap(value: WireObject, message: MessageName, path: string, problems: ParseProblem[]): unknown {
  const entries = Object.entries(value).map(([name, member], index) => {
    const at = `${path}[${index}].value`;
    const read = isObject(member) ? readMessage(member, message, at, problems) : undefined;
    if (read === undefined) {
      problems.push({ type: "value", message, path, name, value: member, wanted: typeName(message) });
    }
    return [name, read ?? {}] as const;
  });
  return Object.fromEntries(entries);
}

/** Numbers may also be texts of digits. */
function isNumber(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^-?\d{1,19}$/.test(value));
}

function wantedBy(field: FieldKind): string {
  if ("message" in field) return typeName(field.message);
  if (field.kind === "struct") return "type.googleapis.com/google.protobuf.Struct";
  if (field.kind === "enum") return typeName("Type");
  const names = { strings: "STRING", number: "NUMBER", boolean: "BOOL", bytes: "BYTES" };
  return `TYPE_${own<string>(names, field.kind) ?? "STRING"}`;
}

function typeName(name: string): string {
  return `type.googleapis.com/google.ai.generativelanguage.v1beta.${name}`;
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
