import type { Node, ParseError } from "jsonc-parser";
import { placesOf, type Report, type SettingsDocument } from "./document.ts";
import { nameOf } from "./name.ts";

/** Deeper files are no config, and the parser calls itself for each level. */
const mostLevels = 64;

/**
 * Parses JSON with comments and trailing commas. Null when that cannot be done; the report then says why, as it does
 * for keys that stand twice.
 */
export async function parseSettings(
  text: string,
  file: Pick<SettingsDocument, "path" | "scope"> & { readonly shown: string },
  report: Report,
): Promise<SettingsDocument | null> {
  const jsonc = await import("jsonc-parser");
  const places = placesOf(text, file.shown);
  const fail = (offset: number, problem: string) => {
    report.problems.push(`${places.placeOf(offset)}: ${problem}.`);
    return null;
  };
  if (text.trim() === "") return fail(0, "the file is empty; write {} or remove it");
  const deep = firstTooDeep(jsonc.createScanner(text, true));
  if (deep !== null) return fail(deep, `this is nested more than ${mostLevels} levels deep`);
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) return fail(first.offset, explain(first, text));
  if (root === undefined) return fail(0, "the file holds no value; write {} or remove it");
  const document = { path: file.path, scope: file.scope, root, ...places };
  reportDuplicates(root, [], document, report);
  return document;
}

/** The offset of the first bracket that is too deep. The token kinds are the parser's: `{ } [ ]` are 1 to 4, 17 the end. */
function firstTooDeep(scanner: import("jsonc-parser").JSONScanner): number | null {
  let level = 0;
  for (let kind: number = scanner.scan(); kind !== 17; kind = scanner.scan()) {
    if (kind === 1 || kind === 3) level += 1;
    if (kind === 2 || kind === 4) level -= 1;
    if (level > mostLevels) return scanner.getTokenOffset();
  }
  return null;
}

/** By the parser's error codes. Nothing of the text is repeated: it may be a secret. */
function explain({ error, offset }: ParseError, text: string): string {
  const at = text.charAt(offset);
  if (at === "'") return "text stands in double quotes here, not in single ones";
  switch (error as number) {
    case 3:
      return "a key in double quotes is expected here";
    case 4:
      return "a value is expected here";
    case 5:
      return "a colon is missing before this";
    case 6:
      if (at === "}") return "a closing ] is missing before this";
      return at === "]" ? "a closing } is missing before this" : "a comma is missing before this";
    case 7:
      return "a closing } is missing before this";
    case 8:
      return "a closing ] is missing before this";
    case 9:
      return "the file's value has ended before this; remove what follows";
    case 11:
      return "this comment is not closed; end it with */";
    case 12:
      return "this text is not closed; end it with a double quote on the same line";
    case 13:
    case 2:
      return "this is no number";
    case 14:
    case 15:
      return "this text holds a backslash that begins no escape; write \\\\ for a backslash";
    case 16:
      return "this text holds a control character; write it as an escape, such as \\n or \\t";
    default:
      return "this is no JSON; text stands in double quotes";
  }
}

function reportDuplicates(
  node: Node,
  path: readonly string[],
  document: SettingsDocument,
  report: Report,
): void {
  const seen = new Map<string, number>();
  for (const child of node.children ?? []) {
    if (child.type !== "property") {
      reportDuplicates(child, path, document, report);
      continue;
    }
    const [key, value] = child.children ?? [];
    if (key === undefined) continue;
    const name = String(key.value);
    const below = [...path, name];
    const before = seen.get(name);
    if (before === undefined) seen.set(name, key.offset);
    else {
      const line = document.lineAt(before);
      report.problems.push(
        `${document.placeOf(key.offset)}: ${nameOf(below)} stands in line ${line} already; keep one.`,
      );
    }
    if (value !== undefined) reportDuplicates(value, below, document, report);
  }
}
