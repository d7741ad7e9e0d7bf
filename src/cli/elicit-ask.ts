import type { ElicitationAnswer, ElicitationField, ElicitationRequest } from "../types/elicitation.ts";
import type { Json } from "../types/json.ts";
import { graphemeColumns, graphemes } from "../util/columns.ts";
import { visibleLine, visibleText } from "../util/visible.ts";
import { readLine } from "./chat/read-line.ts";
import { chooseLetter, type ElicitParts } from "./elicit-choose.ts";
import { fieldLines, readTyped } from "./elicit-field.ts";
import { count } from "./terminal/units.ts";
import { wrapLine } from "./terminal/wrap-words.ts";

type CheckElicitation = typeof import("../index.ts").checkElicitation;

type Content = ReadonlyMap<string, Json>;
const cancel: ElicitationAnswer = { action: "cancel" };
const decline: ElicitationAnswer = { action: "decline" };

/** Shows what a server wants of the person, and asks for it; the answer was seen as a whole before it is given. */
export async function askElicitation(
  request: ElicitationRequest,
  parts: ElicitParts,
  check: CheckElicitation,
): Promise<ElicitationAnswer> {
  showQuestion(request, parts);
  const answer =
    request.mode === "url" ? await askUrl(request, parts) : await askForm(request.fields, parts, check);
  const words = { accept: "answered", decline: "declined", cancel: "left open" }[answer.action];
  parts.screen.marked(parts.paint("dim", `  server ${visibleLine(request.server)}: ${words}`));
  return answer;
}

/** Whose words they are comes first, and every row of them is marked, also where a long line goes on. */
function showQuestion(request: ElicitationRequest, { screen, paint }: ElicitParts): void {
  const { server, calls, message, warnings, mode } = request;
  const name = visibleLine(server);
  const tools = calls.map(({ tool }) => visibleLine(tool)).join(" or ");
  screen.line("");
  screen.marked(paint("bold", `Server ${name} asks you, for ${tools}. Its words:`));
  for (const row of markedRows(message, screen.columns())) screen.line(row);
  if (mode === "url") {
    screen.line("");
    // As it is, from the first column on: what is copied is what was sent.
    screen.exact(visibleLine(request.url));
    screen.line("");
  }
  const about =
    mode === "form"
      ? `Server ${name} gets what you type. Type nothing that it must not know, and no password.`
      : "Only you can open it: nothing was opened or asked for at this address.";
  for (const line of [about, ...warnings]) screen.marked(paint("yellow", `! ${visibleLine(line)}`));
}

const mark = "  | ";

function markedRows(text: string, columns: number): readonly string[] {
  const width = columns - mark.length - 1;
  const lines = visibleText(text).replaceAll("\t", "  ").split("\n");
  const rows = lines.flatMap((line) => wrapLine(line.trim(), width).split("\n"));
  return rows.flatMap((row) => pieces(row, width)).map((row) => `${mark}${row}`);
}

/** A row in pieces that fit: a word may be longer than the terminal is wide. */
function pieces(row: string, width: number): readonly string[] {
  const cut: string[] = [""];
  let used = 0;
  for (const grapheme of graphemes(row)) {
    const columns = graphemeColumns(grapheme);
    if (used + columns > width) {
      cut.push("");
      used = 0;
    }
    cut[cut.length - 1] += grapheme;
    used += columns;
  }
  return cut;
}

/** Before the first letters a message may be typed ahead; later it is the same key once more. */
function typedAhead(parts: ElicitParts): ElicitParts {
  return { ...parts, early: parts.keyboard.keep };
}

async function askUrl({ server }: ElicitationRequest, parts: ElicitParts): Promise<ElicitationAnswer> {
  const chosen = await chooseLetter(
    `Open the address for ${visibleLine(server)}?`,
    [
      { key: "y", label: "I have opened it, go on" },
      { key: "n", label: "no, I decline" },
      { key: "x", label: "leave it open" },
    ],
    typedAhead(parts),
  );
  if (chosen === "y") return { action: "accept" };
  return chosen === "n" ? decline : cancel;
}

async function askForm(
  fields: readonly ElicitationField[],
  parts: ElicitParts,
  check: CheckElicitation,
): Promise<ElicitationAnswer> {
  const { screen } = parts;
  const first = typedAhead(parts);
  let filled: Content | null = null;
  for (;;) {
    if (filled !== null) for (const line of contentLines(filled)) screen.marked(line);
    const head = filled === null ? `A form of ${count(fields.length, "field")}.` : "This would be sent.";
    const chosen = await chooseLetter(head, lettersFor(filled), filled === null ? first : parts);
    if (chosen === "y" && filled !== null) return { action: "accept", content: Object.fromEntries(filled) };
    if (chosen === "n") return decline;
    if (chosen !== "f") return cancel;
    filled = await fillIn(fields, parts, check);
    if (parts.signal.aborted) return cancel;
  }
}

function lettersFor(filled: Content | null) {
  const others = [
    { key: "n", label: "decline" },
    { key: "x", label: "leave it open" },
  ] as const;
  if (filled === null) return [{ key: "f", label: "fill it in" }, ...others] as const;
  return [{ key: "y", label: "send it" }, { key: "f", label: "fill it in again" }, ...others] as const;
}

function contentLines(filled: Content): readonly string[] {
  if (filled.size === 0) return ["  (nothing)"];
  return [...filled].map(([name, value]) => `  ${visibleLine(name)} = ${visibleLine(JSON.stringify(value))}`);
}

/** Field by field; null when the form was left with Escape. */
async function fillIn(
  fields: readonly ElicitationField[],
  parts: ElicitParts,
  check: CheckElicitation,
): Promise<Content | null> {
  const filled = new Map<string, Json>();
  for (const [index, field] of fields.entries()) {
    const [head = "", ...rest] = fieldLines(field);
    parts.screen.marked(parts.paint("bold", `${index + 1} of ${fields.length}  ${head}`));
    for (const line of rest) parts.screen.marked(`  ${line}`);
    const value = await fillOne(field, parts, check);
    if (value === null) return null;
    if (value.given !== undefined) filled.set(field.name, value.given);
  }
  return filled;
}

async function fillOne(
  field: ElicitationField,
  { screen, keyboard, signal, paint, interrupt }: ElicitParts,
  check: CheckElicitation,
): Promise<{ readonly given: Json | undefined } | null> {
  for (;;) {
    const read = await readLine("  > ", { screen, keyboard, signal });
    if (read.type === "left") {
      if (read.interrupted && !signal.aborted) interrupt();
      return null;
    }
    const typed = readTyped(field, read.text);
    const given = typed.type === "value" ? typed.value : undefined;
    const problems = typed.type === "unclear" ? [typed.problem] : check([field], contentOf(field, given));
    const [problem] = problems;
    if (problem === undefined) {
      if (given !== undefined) screen.marked(`  > ${visibleLine(JSON.stringify(given))}`);
      return { given };
    }
    screen.marked(paint("yellow", `  ! ${visibleLine(problem)}`));
  }
}

function contentOf({ name }: ElicitationField, given: Json | undefined): Readonly<Record<string, Json>> {
  return given === undefined ? {} : Object.fromEntries([[name, given]]);
}
