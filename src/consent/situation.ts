import type { CallFacts } from "../types/policy.ts";
import { type Glob, matchesGlob } from "./glob.ts";
import { reachesOthers, readHints } from "./hints.ts";
import { nameGlob } from "./rule-globs.ts";
import { RuleProblem } from "./rule-problem.ts";
import type { Word } from "./words.ts";

/** What a rule asks of the situation of a call: `@name=value`. */
export type Situation =
  | { readonly type: "trust"; readonly trusted: boolean }
  | { readonly type: "principal"; readonly glob: Glob }
  | { readonly type: "mode"; readonly mode: CallFacts["mode"] }
  | { readonly type: "annotation"; readonly name: AnnotationName; readonly value: boolean }
  | { readonly type: "flow"; readonly from: FlowSource | "*"; readonly to: FlowSink | "*" };

type AnnotationName = "readOnly" | "destructive" | "idempotent" | "openWorld";
type FlowSource = "untrusted" | "private";
type FlowSink = "write" | "open-world";

const annotationNames: readonly AnnotationName[] = ["readOnly", "destructive", "idempotent", "openWorld"];
const known = ["trust", "principal", "mode", ...annotationNames, "flow"].map((name) => `@${name}`);

/** Reads a condition of the situation from the name behind `@` and its value. Throws `RuleProblem`. */
export function readSituation(name: string, value: Word): Situation {
  const text = value.map((piece) => piece.text).join("");
  const annotation = annotationNames.find((each) => each === name);
  if (annotation !== undefined) {
    return { type: "annotation", name: annotation, value: oneOf(name, text, ["true", "false"]) === "true" };
  }
  switch (name) {
    case "trust":
      return { type: "trust", trusted: oneOf(name, text, ["trusted", "untrusted"]) === "trusted" };
    case "mode":
      return { type: "mode", mode: oneOf(name, text, ["interactive", "headless"]) };
    case "principal":
      if (text === "") throw new RuleProblem("@principal is the name of a person, or a pattern; * is any");
      return { type: "principal", glob: nameGlob(value) };
    case "flow":
      return readFlow(text);
    default:
      throw new RuleProblem(
        `@${name} is no condition; there are ${known.join(", ")}, and an argument of that name stands in quotes`,
      );
  }
}

function oneOf<T extends string>(name: string, text: string, values: readonly T[]): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new RuleProblem(`@${name} is ${values.join(" or ")}`);
  return found;
}

function readFlow(text: string): Situation {
  const found = /^(untrusted|private|\*)(?:→|->)(write|open-world|\*)$/.exec(text);
  if (found === null) {
    throw new RuleProblem(
      "@flow goes from untrusted, private or * to write, open-world or *, such as @flow=untrusted->write",
    );
  }
  return { type: "flow", from: found[1] as FlowSource | "*", to: found[2] as FlowSink | "*" };
}

/** Whether the situation is that; null where only the word of a server that nobody trusts could tell. */
export function isSituation(situation: Situation, facts: CallFacts): boolean | null {
  switch (situation.type) {
    case "trust":
      return situation.trusted === facts.trusted;
    case "principal":
      return matchesGlob(situation.glob, facts.principal);
    case "mode":
      return situation.mode === facts.mode;
    case "annotation":
      return facts.trusted ? annotationOf(situation.name, facts) === situation.value : null;
    case "flow":
      return (
        (situation.from === "*" || facts.reads[situation.from]) &&
        (situation.to === "*" || goesTo(situation.to, facts))
      );
  }
}

/** What a hint is, or is taken to be where it is absent (MCP `ToolAnnotations`). */
function annotationOf(name: AnnotationName, facts: CallFacts): boolean {
  const { destructiveHint, idempotentHint, openWorldHint } = facts.annotations;
  const { readOnly } = readHints(facts);
  switch (name) {
    case "readOnly":
      return readOnly;
    case "destructive":
      return !readOnly && destructiveHint !== false;
    case "idempotent":
      return idempotentHint === true || readOnly;
    case "openWorld":
      return openWorldHint !== false;
  }
}

/** Whether a call changes something, or carries what was read to others, as far as anybody trusted has said. */
function goesTo(sink: FlowSink, facts: CallFacts): boolean {
  const hints = readHints(facts);
  return sink === "write" ? !hints.readOnly : reachesOthers(facts, hints);
}

/** Whether one condition asks all that the other does. */
export function coversSituation(a: Situation, b: Situation): boolean {
  switch (b.type) {
    case "principal":
      return a.type === "principal" && a.glob.literal >= b.glob.literal;
    case "flow":
      return a.type === "flow" && (b.from === "*" || a.from === b.from) && (b.to === "*" || a.to === b.to);
    case "trust":
      return a.type === "trust" && a.trusted === b.trusted;
    case "mode":
      return a.type === "mode" && a.mode === b.mode;
    case "annotation":
      return a.type === "annotation" && a.name === b.name && a.value === b.value;
  }
}
