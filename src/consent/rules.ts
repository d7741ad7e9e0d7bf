import { HostError } from "../errors.ts";
import type { DecisionSource } from "../types/outcome.ts";
import { builtinServer } from "../types/tool.ts";
import { visibleLine } from "../util/visible.ts";
import { createGlob, type Glob, type GlobToken } from "./glob.ts";
import { splitWord, splitWords, type Word } from "./words.ts";

export type RuleTier = Extract<DecisionSource, { type: "rule" }>["tier"];
export type RuleEffect = "allow" | "ask" | "hide" | "deny";

/** An argument that a rule looks at: `path=glob`, the path by own properties only. */
export interface RuleCondition {
  readonly path: readonly string[];
  readonly glob: Glob;
}

export interface Rule {
  readonly effect: RuleEffect;
  readonly tier: RuleTier;
  /** As it was written. */
  readonly text: string;
  readonly server: Glob;
  readonly tool: Glob;
  readonly conditions: readonly RuleCondition[];
}

const effects: readonly RuleEffect[] = ["allow", "ask", "hide", "deny"];
const longestRule = 4096;

/**
 * Reads rules: `allow|ask|deny|hide server/tool [path=glob …]`. Names are raw. In a name `*` is any text; in a value
 * `*` stops at a separator and `**` does not. Text in quotes (a JSON string) stands for itself, and may be followed or
 * preceded by wildcards: `path="/my files/"**`. Throws `config_invalid` that names the rule and what was expected.
 */
export function parseRules(texts: readonly string[], tier: RuleTier): readonly Rule[] {
  return texts.map((text) => parseRule(text, tier));
}

/**
 * Reads the rules of somebody who may not loosen anything. Throws `config_invalid` for a rule that is not valid, and for
 * one that allows.
 */
export function parseProjectRules(texts: readonly string[]): readonly Rule[] {
  const rules = parseRules(texts, "project");
  const loose = rules.find((rule) => rule.effect === "allow");
  if (loose !== undefined)
    fail(loose.text, "a project's rules may only ask, deny or hide; put it into your own file");
  return rules;
}

/**
 * A sentence for each rule whose server is written out and is none of these, nor the host itself. It can match nothing
 * here, but a policy may be shared by hosts with other servers.
 */
export function idleRules(rules: readonly Rule[], servers: readonly string[]): readonly string[] {
  const known = new Set([builtinServer, ...servers]);
  return rules.flatMap(({ server, text }) => {
    if (server.exact === null || known.has(server.exact)) return [];
    return [
      `The rule \`${visibleLine(text.slice(0, 200))}\` names no server of this host and matches nothing.`,
    ];
  });
}

function fail(text: string, expected: string): never {
  const shown = visibleLine(text.length > 200 ? `${text.slice(0, 200)}…` : text);
  throw new HostError("config_invalid", `The rule \`${shown}\` is not valid: ${expected}.`);
}

function parseRule(text: string, tier: RuleTier): Rule {
  if (typeof text !== "string") return fail(String(text), "a rule is a text");
  if (text.length > longestRule) return fail(text, `a rule has at most ${longestRule} characters`);
  const words = splitWords(text);
  if (words === null) return fail(text, "a quote must hold one complete JSON string");
  const [first, target, ...rest] = words;
  const effect = effects.find((known) => known === plainText(first));
  if (effect === undefined) return fail(text, "it must begin with allow, ask, deny or hide");
  const names = target === undefined ? null : splitWord(target, "/");
  if (names === null) {
    return fail(text, `behind ${effect} a server and a tool are expected, such as ${effect} server/tool`);
  }
  const [server, tool] = names;
  if (splitWord(tool, "/") !== null) return fail(text, "a name that holds a / must stand in quotes");
  if (server.length === 0 || tool.length === 0) {
    return fail(text, "the server and the tool must both be named; * is any");
  }
  if (effect === "hide" && rest.length > 0) {
    return fail(text, "hide takes no argument conditions, because a tool is hidden before it has arguments");
  }
  return {
    effect,
    tier,
    text,
    server: nameGlob(server),
    tool: nameGlob(tool),
    conditions: rest.map((word) => parseCondition(text, word)),
  };
}

function plainText(word: Word | undefined): string | null {
  const [piece, ...more] = word ?? [];
  return piece === undefined || piece.quoted || more.length > 0 ? null : piece.text;
}

function parseCondition(text: string, word: Word): RuleCondition {
  const sides = splitWord(word, "=");
  if (sides === null) {
    return fail(text, "a condition is written path=glob; a value that holds a space must stand in quotes");
  }
  const path = parsePath(sides[0]);
  if (path === null) {
    return fail(text, "before = the path of an argument is expected, such as path or options.path");
  }
  return { path, glob: valueGlob(sides[1]) };
}

/** Keys split at unquoted dots; null when one is empty. */
function parsePath(word: Word): readonly string[] | null {
  const keys: string[] = [];
  let rest: Word = word;
  for (let parts = splitWord(rest, "."); parts !== null; parts = splitWord(rest, ".")) {
    keys.push(joined(parts[0]));
    rest = parts[1];
  }
  keys.push(joined(rest));
  return keys.includes("") ? null : keys;
}

function joined(word: Word): string {
  return word.map((piece) => piece.text).join("");
}

function nameGlob(word: Word): Glob {
  return createGlob(
    word
      .flatMap((piece) => (piece.quoted ? literal(piece.text) : wildcards(piece.text, /(\*+)/)))
      .map(widest),
  );
}

/** A name has no segments: its `*` is any text. */
function widest(token: GlobToken): GlobToken {
  return token.type === "text" ? token : { type: "anything" };
}

function valueGlob(word: Word): Glob {
  const tokens = word.flatMap((piece, index) => {
    if (piece.quoted) return literal(piece.text);
    const before = word[index - 1]?.text.at(-1);
    return wildcards(piece.text, /(\*+\/?)/, before);
  });
  return createGlob(tokens);
}

function literal(text: string): GlobToken[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** `**` and a slash are folders only at the start of a segment. */
function wildcards(text: string, split: RegExp, before?: string): GlobToken[] {
  let previous = before;
  return text.split(split).flatMap((part): GlobToken[] => {
    const atStart = previous === undefined || previous === "/";
    previous = part.at(-1) ?? previous;
    if (!part.startsWith("*")) return literal(part);
    const stars = part.replaceAll("/", "").length;
    const slash = part.endsWith("/");
    if (stars > 1 && slash && atStart) return [{ type: "folders" }];
    return [{ type: stars > 1 ? "anything" : "segment" }, ...literal(slash ? "/" : "")];
  });
}
