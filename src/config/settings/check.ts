import type { Node } from "jsonc-parser";
import { closest } from "../../util/closest.ts";
import { own } from "../../util/own.ts";
import type { Report, SettingsDocument } from "./document.ts";
import type { KeySchema } from "./key-schema.ts";
import { member } from "./members.ts";
import { nameOf } from "./name.ts";

type Path = readonly (string | number)[];

interface Checking extends Report {
  readonly placeOf: SettingsDocument["placeOf"];
}

/**
 * Keys that mean one of ours in other hosts' files and in people's memory: passing them over would start something
 * else than what was meant.
 */
const otherNames: Readonly<Record<string, string>> = {
  servers: "mcpServers",
  mcp: "mcpServers",
  context_servers: "mcpServers",
  serverUrl: "url",
  httpUrl: "url",
  uri: "url",
  cmd: "command",
  arguments: "args",
  environment: "env",
  includeTools: "tools",
  allowedTools: "tools",
};

/** Checks a document against its schema; every problem and every foreign key goes into the report. */
export function checkSettings(document: SettingsDocument, schema: KeySchema, report: Report): void {
  const { root, placeOf } = document;
  if (root.type !== "object") {
    const example = Object.entries(schema.properties ?? {}).find(([, { type }]) => type === "object")?.[0];
    const such = example === undefined ? "" : `, such as { "${example}": {} }`;
    report.problems.push(`${placeOf(root.offset)}: the file must hold an object${such}.`);
    return;
  }
  checkNode(root, schema, [], { ...report, placeOf });
}

function checkNode(node: Node, schema: KeySchema, path: Path, checking: Checking): void {
  const complaint = complaintOf(node, schema);
  if (complaint !== null) {
    checking.problems.push(`${checking.placeOf(node.offset)}: ${nameOf(path)} must be ${complaint}`);
  } else if (node.type === "array") {
    for (const [index, item] of (node.children ?? []).entries()) {
      if (schema.items !== undefined) checkNode(item, schema.items, [...path, index], checking);
    }
  } else if (node.type === "object") {
    reportMissing(node, schema, path, checking);
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (key !== undefined && value !== undefined) checkMember(key, value, schema, path, checking);
    }
  }
}

function reportMissing(node: Node, { required = [] }: KeySchema, path: Path, checking: Checking): void {
  const missing = required.filter((name) => member(node, name) === undefined);
  if (missing.length === 0) return;
  checking.problems.push(`${checking.placeOf(node.offset)}: ${nameOf(path)} needs ${missing.join(" and ")}.`);
}

function checkMember(key: Node, value: Node, schema: KeySchema, path: Path, checking: Checking): void {
  const name = String(key.value);
  const known = own(schema.properties ?? {}, name) ?? schema.additionalProperties;
  if (typeof known === "object") {
    checkNode(value, known, [...path, name], checking);
    return;
  }
  const place = checking.placeOf(key.offset);
  const candidates = Object.keys(schema.properties ?? {});
  const meant = otherName(name, candidates) ?? closest(name, candidates);
  const where = nameOf([...path, name]);
  if (meant !== undefined) checking.problems.push(`${place}: unknown key ${where}. Did you mean "${meant}"?`);
  else if (known === false) {
    checking.problems.push(`${place}: unknown key ${where}; known here: ${candidates.join(", ")}.`);
  } else if (name === "enabled" && value.value === false) {
    checking.problems.push(`${place}: ${where} is no key here; write "disabled": true.`);
  } else checking.warnings.push(`${place}: ${where} is not a key of ours and is passed over.`);
}

function otherName(name: string, candidates: readonly string[]): string | undefined {
  const meant = own(otherNames, name);
  return meant !== undefined && candidates.includes(meant) ? meant : undefined;
}

/** What the value must be, when it is not: the end of a sentence. Never says what it is: it may be a secret. */
function complaintOf(node: Node, schema: KeySchema): string | null {
  const value: unknown = node.value;
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  switch (type) {
    case "string":
      if (typeof value !== "string")
        return schema.enum === undefined ? "text in double quotes." : enumWords(schema, "");
      if (schema.enum !== undefined && !schema.enum.includes(value)) return enumWords(schema, value);
      return value.length < (schema.minLength ?? 0) ? "text that is not empty." : null;
    case "integer":
    case "number": {
      const fits = type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
      if (!fits || typeof value !== "number" || value < minimum) return `${numberWords(schema)}.`;
      return value > maximum ? `at most ${maximum}.` : null;
    }
    case "boolean":
      return typeof value === "boolean" ? null : "true or false.";
    case "array":
      return node.type === "array" ? null : "a list of strings in [ ].";
    case "object":
      return node.type === "object" ? null : "an object in { }.";
  }
}

function numberWords({ type, minimum }: KeySchema): string {
  const kind = type === "integer" ? "a whole number" : "a number";
  return minimum === undefined ? kind : `${kind} of at least ${minimum}`;
}

function enumWords(schema: KeySchema, value: string): string {
  const names = (schema.enum ?? []).map((name) => `"${name}"`);
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  const meant = closest(value, schema.enum ?? []);
  return meant === undefined ? `${list}.` : `${list}. Did you mean "${meant}"?`;
}
