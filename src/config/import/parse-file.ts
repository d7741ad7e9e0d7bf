import { nodeValue } from "../edit/node-value.ts";
import type { Place } from "./raw-server.ts";

/** The document, or where its first mistake is. Never a piece of the text: it may hold a secret. */
export type ParsedFile =
  | { readonly document: unknown }
  | { readonly problem: string; readonly line?: number; readonly column?: number };

/** More aliases than any config has, and too few to make a document explode. */
const aliasLimit = 100;

/** Reads a configuration file's text. JSON may have comments and trailing commas. */
export async function parseFile(text: string, format: Place["format"]): Promise<ParsedFile> {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    if (format === "toml") return await parseToml(plain);
    if (format === "yaml") return await parseYaml(plain);
    return await parseJson(plain);
  } catch (error) {
    if (error instanceof RangeError) return { problem: "it is nested too deeply" };
    return { problem: `it is not valid ${formatNames[format]}` };
  }
}

const formatNames: Readonly<Record<Place["format"], string>> = { jsonc: "JSON", toml: "TOML", yaml: "YAML" };

async function parseJson(text: string): Promise<ParsedFile> {
  if (text.trim() === "") return { document: {} };
  try {
    return { document: JSON.parse(text) };
  } catch {
    // Comments, trailing commas, or really damaged.
  }
  const jsonc = await import("jsonc-parser");
  const errors: import("jsonc-parser").ParseError[] = [];
  const tree = jsonc.parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (tree === undefined || first !== undefined) {
    return { problem: "it is not valid JSON", ...positionOf(text, first?.offset ?? text.length) };
  }
  return { document: nodeValue(tree) };
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

async function parseToml(text: string): Promise<ParsedFile> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    return { document: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { problem: "it is not valid TOML", line: error.line, column: error.column };
  }
}

async function parseYaml(text: string): Promise<ParsedFile> {
  const { parseDocument } = await import("yaml");
  const parsed = parseDocument(text);
  const [first] = parsed.errors;
  if (first !== undefined) {
    const start = first.linePos?.[0];
    return {
      problem: "it is not valid YAML",
      ...(start === undefined ? {} : { line: start.line, column: start.col }),
    };
  }
  const document: unknown = parsed.toJS({ maxAliasCount: aliasLimit });
  return { document: document ?? {} };
}
