import { HostError } from "../errors.ts";
import type { DecisionSource } from "../types/outcome.ts";
import { builtinServer } from "../types/tool.ts";
import { visibleLine } from "../util/visible.ts";
import { conditionMeaning, type RuleCondition, readCondition } from "./condition-words.ts";
import { exactText } from "./exact-text.ts";
import type { Glob } from "./glob.ts";
import { checkGlob, checkSeen } from "./rule-characters.ts";
import { nameGlob } from "./rule-globs.ts";
import { RuleProblem } from "./rule-problem.ts";
import { splitWord, splitWords, type Word, writeWord } from "./words.ts";

export type RuleTier = Extract<DecisionSource, { type: "rule" }>["tier"];
export type RuleEffect = "allow" | "ask" | "hide" | "deny";

export interface Rule {
  readonly effect: RuleEffect;
  readonly tier: RuleTier;
  /** As it was written. */
  readonly text: string;
  readonly server: Glob;
  readonly tool: Glob;
  readonly conditions: readonly RuleCondition[];
  /** What the model is told beside the rule; empty when it says nothing. */
  readonly message: string;
  /** One text for all ways to write the rule: what it means decides between rules, never how it is written. */
  readonly meaning: string;
}

const effects: readonly RuleEffect[] = ["allow", "ask", "hide", "deny"];
export const longestRule = 4096;

/**
 * Reads rules: `allow|ask|deny|hide server/tool [condition …]`. Names are raw; in a name `*` is any text. Text in quotes
 * (a JSON string) stands for itself, and may be followed or preceded by wildcards: `path="/my files/"**`. All conditions
 * must be met. Of the arguments: `path=glob`, where `*` stops at a separator and `**` does not, `regex(path)=pattern`,
 * `under(path)=folder`, `host(path)=glob`. Of the situation: `@trust`, `@principal`, `@mode`, `@readOnly`,
 * `@destructive`, `@idempotent`, `@openWorld`, `@flow`. A deny may end with `@message="…"`, which the model reads.
 * Throws `config_invalid` that names the rule and what was expected.
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
    return [`The rule \`${shownRule(text)}\` names no server of this host and matches nothing.`];
  });
}

/** A rule in a sentence: escaped, on one line, and cut where it is long. */
export function shownRule(text: string): string {
  return exactText(visibleLine(text.length > 200 ? `${text.slice(0, 200)}…` : text));
}

function fail(text: string, expected: string): never {
  throw new HostError("config_invalid", `The rule \`${shownRule(text)}\` is not valid: ${expected}.`);
}

function parseRule(text: string, tier: RuleTier): Rule {
  if (typeof text !== "string") return fail(String(text), "a rule is a text");
  try {
    return readRule(text, tier);
  } catch (thrown) {
    if (thrown instanceof RuleProblem) return fail(text, thrown.message);
    throw thrown;
  }
}

function readRule(text: string, tier: RuleTier): Rule {
  if (text.length > longestRule) throw new RuleProblem(`a rule has at most ${longestRule} characters`);
  checkSeen(text);
  const words = splitWords(text);
  if (words === null) throw new RuleProblem("a quote must hold one complete JSON string");
  const [first, target, ...rest] = words;
  const effect = effects.find((known) => known === plainText(first));
  if (effect === undefined) throw new RuleProblem("it must begin with allow, ask, deny or hide");
  const [server, tool] = readNames(target, effect);
  const isMessage = (word: Word) => writeWord(word).startsWith("@message=");
  const message = readMessage(rest.filter(isMessage), effect);
  const when = rest.filter((word) => !isMessage(word));
  if (effect === "hide" && when.length > 0) {
    throw new RuleProblem(
      "hide takes no argument conditions, nor others, because a tool is hidden before it is called",
    );
  }
  const conditions = when.map((word) => readCondition(word, effect === "allow"));
  const meaning = meaningOf(effect, server, tool, conditions, message);
  return { effect, tier, text, server, tool, conditions, message, meaning };
}

function readNames(target: Word | undefined, effect: RuleEffect): readonly [Glob, Glob] {
  const names = target === undefined ? null : splitWord(target, "/");
  if (names === null) {
    throw new RuleProblem(`behind ${effect} a server and a tool are expected, such as ${effect} server/tool`);
  }
  const [server, tool] = names;
  if (splitWord(tool, "/") !== null) throw new RuleProblem("a name that holds a / must stand in quotes");
  if (server.length === 0 || tool.length === 0) {
    throw new RuleProblem("the server and the tool must both be named; * is any");
  }
  checkGlob(server);
  checkGlob(tool);
  return [nameGlob(server), nameGlob(tool)];
}

function readMessage(words: readonly Word[], effect: RuleEffect): string {
  const [word, ...more] = words;
  if (word === undefined) return "";
  const message = (splitWord(word, "=")?.[1] ?? []).map((piece) => piece.text).join("");
  if (effect !== "deny" || more.length > 0 || message === "") {
    throw new RuleProblem("@message stands once, in a rule that denies, and is not empty");
  }
  return message;
}

function plainText(word: Word | undefined): string | null {
  const [piece, ...more] = word ?? [];
  return piece === undefined || piece.quoted || more.length > 0 ? null : piece.text;
}

function meaningOf(
  effect: RuleEffect,
  server: Glob,
  tool: Glob,
  conditions: readonly RuleCondition[],
  message: string,
): string {
  return JSON.stringify([
    effect,
    server.source,
    tool.source,
    conditions.map(conditionMeaning).sort(),
    message,
  ]);
}
