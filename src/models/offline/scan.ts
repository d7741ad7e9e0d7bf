import type { JsonObject } from "../../types/json.ts";
import { surelyValid } from "./check.ts";
import { fillArguments } from "./fill.ts";
import type { Exchange } from "./history.ts";
import { type LineMatch, listedPaths } from "./matches.ts";
import type { Look, PlannedCall } from "./plan.ts";
import type { Goal } from "./question.ts";
import type { ToolIndex } from "./rank.ts";
import type { Token } from "./tokens.ts";
import type { Parameter, ToolFacts } from "./tool-facts.ts";
import { markerFamily } from "./words.ts";

/** Text searched in files by reading them, where no tool searches in files. */
export interface Scan {
  /** The calls still to make. */
  readonly open: readonly PlannedCall[];
  readonly terms: readonly string[];
  readonly matches: readonly LineMatch[];
  /** What the person should know about its limits. */
  readonly notes: readonly string[];
}

const filesPerCall = 8;
const mostCalls = 8;
const textFile = /\.(?!png$|jpe?g$|gif$|webp$|pdf$|gz$|zip$|tar$|lock$)\w{1,5}$/i;

/**
 * Lists all files and reads them: a way to find text with a server that only searches file names. Null when the
 * question names no text, or when no tools for it are there.
 */
export function scanFiles(goal: Goal, index: ToolIndex, look: Look): Scan | null {
  const terms = goal.tokens
    .filter((token) => ["quoted", "marker", "code"].includes(token.kind))
    .flatMap((token) => (token.kind === "marker" ? markerFamily(token.text).split("|") : [token.text]));
  const lister = index.tools.find((each) => each.readOnly && each.searches === "names");
  if (terms.length === 0 || lister === undefined) return null;
  const list = listing(lister, goal);
  if (list === null) return null;
  const listed = look(list);
  if (listed === undefined) return { open: [list], terms, matches: [], notes: [] };
  if (listed.isError) return null;
  const files = listedPaths(listed.text, 500).filter((path) => textFile.test(path));
  const calls = readCalls(files, lister, index);
  if (calls === null) return null;
  const open = calls.filter((call) => look(call) === undefined);
  const read = calls.flatMap((call) => look(call) ?? []);
  const notes = ["No tool searches in files, so the files were read one after the other."];
  const matches = read.flatMap((exchange) => scanResult(exchange, files, terms, notes));
  const most = mostCalls * (calls[0]?.files ?? 1);
  if (files.length > most) notes.push(`Only the first ${most} of ${files.length} files were read.`);
  return { open, terms, matches, notes };
}

/** The call that lists all files, in the folder that the question names. */
function listing(lister: ToolFacts, goal: Goal): PlannedCall | null {
  const everything: Token = { kind: "glob", text: "**/*", stems: [], end: "" };
  const tokens = goal.tokens.filter((token) => !["quoted", "marker", "code"].includes(token.kind));
  const filled = fillArguments(lister, { ...goal, tokens: [...tokens, everything] });
  if (filled.missing.length > 0) return null;
  const excluding = lister.parameters.find(
    (each) => each.type === "strings" && each.stems.includes("exclud"),
  );
  const given = excluding === undefined ? {} : { [excluding.name]: ["**/node_modules/**", "**/.git/**"] };
  const whole: JsonObject = { ...filled.arguments, ...given };
  return surelyValid(lister.tool.definition.inputSchema, whole)
    ? { tool: lister.tool, arguments: whole }
    : null;
}

type ReadCall = PlannedCall & { readonly files: number };

/** Calls that read the files, several at once where a tool of the same server can. */
function readCalls(files: readonly string[], lister: ToolFacts, index: ToolIndex): ReadCall[] | null {
  const readers = index.tools.filter(
    (each) => each.readOnly && !each.deprecated && each.tool.route.server === lister.tool.route.server,
  );
  const reading = (type: Parameter["type"]) => {
    const reader = readers.find(
      ({ nameStems, parameters }) =>
        nameStems[0] === "read" &&
        parameters.filter((each) => each.required).length === 1 &&
        parameters[0]?.role === "path" &&
        parameters[0].type === type,
    );
    const name = reader?.parameters[0]?.name;
    return reader === undefined || name === undefined ? null : { reader, name };
  };
  const several = reading("strings");
  const found = several ?? reading("string");
  if (found === null) return null;
  const size = several === null ? 1 : filesPerCall;
  const starts = Array.from(
    { length: Math.min(mostCalls, Math.ceil(files.length / size)) },
    (_, at) => at * size,
  );
  return starts.flatMap((start) => {
    const batch = files.slice(start, start + size);
    const given: JsonObject = { [found.name]: several === null ? (batch[0] ?? "") : batch };
    const valid = surelyValid(found.reader.tool.definition.inputSchema, given);
    return valid ? [{ tool: found.reader.tool, arguments: given, files: size }] : [];
  });
}

/** The lines with one of the terms. Behind a gap in a shortened result line numbers are unknown, so it ends there. */
function scanResult(
  exchange: Exchange,
  files: readonly string[],
  terms: readonly string[],
  notes: string[],
): LineMatch[] {
  if (exchange.isError) {
    notes.push(`${exchange.label} gave an error: ${exchange.text.slice(0, 300)}`);
    return [];
  }
  const known = new Set(files);
  const single = Object.values(exchange.arguments).find((value) => typeof value === "string");
  let path = single ?? "";
  let start = 0;
  const matches: LineMatch[] = [];
  for (const [at, text] of exchange.text.split("\n").entries()) {
    if (/^\[… .* left out …\]$/.test(text)) {
      notes.push(`A result was shortened: ${path} was not read to its end, and files behind it not at all.`);
      break;
    }
    if (text.endsWith(":") && known.has(text.slice(0, -1))) {
      path = text.slice(0, -1);
      start = at + 1;
    } else if (path !== "" && terms.some((term) => text.includes(term))) {
      matches.push({ path, line: at - start + 1, text: text.trim().slice(0, 300) });
    }
  }
  return matches;
}
