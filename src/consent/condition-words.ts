import type { Glob } from "./glob.ts";
import { hostGlob } from "./host-condition.ts";
import { createPattern, type Pattern } from "./pattern.ts";
import { checkGlob, checkKey } from "./rule-characters.ts";
import { valueGlob } from "./rule-globs.ts";
import { RuleProblem } from "./rule-problem.ts";
import { readSituation, type Situation } from "./situation.ts";
import { type Folder, readFolder } from "./under.ts";
import { splitWord, type Word, writeWord } from "./words.ts";

/** What a rule asks of an argument. */
type ArgumentTest =
  /** `bare` is the pattern without the `./` that it begins with; null where it begins with none. */
  | { readonly type: "glob"; readonly glob: Glob; readonly bare: Glob | null }
  | { readonly type: "regex"; readonly pattern: Pattern }
  | { readonly type: "under"; readonly folder: Folder }
  | { readonly type: "host"; readonly glob: Glob };

/** A condition on an argument, whose path goes by own properties only. */
export type PathCondition = {
  /** As it was written, with the quotes where they are needed. */
  readonly text: string;
  readonly path: readonly string[];
  /** One text for each path. */
  readonly key: string;
} & ArgumentTest;

export type RuleCondition = PathCondition | ({ readonly text: string } & Situation);

export function isAboutArgument(condition: RuleCondition): condition is PathCondition {
  return "path" in condition;
}

/** Reads one condition of a rule; `allowing` says that the rule allows. Throws `RuleProblem`. */
export function readCondition(word: Word, allowing: boolean): RuleCondition {
  const sides = splitWord(word, "=");
  if (sides === null) {
    throw new RuleProblem(
      "a condition is written path=glob; a value that holds a space must stand in quotes",
    );
  }
  const [left, value] = sides;
  const text = writeWord(word);
  const name = plainStart(left);
  if (name.startsWith("@")) {
    if (left.length > 1) throw new RuleProblem("the name of a condition behind @ has no quotes");
    return { text, ...readSituation(name.slice(1), value) };
  }
  const called = /^(\w+)\(/.exec(name);
  if (called === null) {
    checkGlob(value);
    return about(text, left, { type: "glob", glob: valueGlob(value), bare: bareGlob(value) });
  }
  return about(text, insideOf(left, called[0]), readTest(called[1] ?? "", value, allowing));
}

function bareGlob([first, ...more]: Word): Glob | null {
  const bare = first?.text.replace(/^(?:\.[/\\]+)+/, "");
  return first === undefined || bare === undefined || bare === first.text
    ? null
    : valueGlob([{ ...first, text: bare }, ...more]);
}

/** One text for all ways to write the same condition. */
export function conditionMeaning(condition: RuleCondition): string {
  const { text: _, ...rest } = condition;
  switch (rest.type) {
    case "glob":
    case "host":
      return `${rest.type} ${rest.key} ${rest.glob.source}`;
    case "regex":
      return `regex ${rest.key} ${rest.pattern.source}`;
    case "principal":
      return `principal ${rest.glob.source}`;
    default:
      return JSON.stringify(rest);
  }
}

/** What stands before the first quote. */
function plainStart([piece]: Word): string {
  return piece?.quoted === false ? piece.text : "";
}

/** The word between `name(` and the parenthesis at its end. */
function insideOf(word: Word, opening: string): Word {
  const last = word.at(-1);
  if (last?.quoted !== false || !last.text.endsWith(")")) {
    throw new RuleProblem(`${opening} is closed by ) before =, such as ${opening}path)=…`);
  }
  return word.map((piece, index) => {
    const text = index === 0 ? piece.text.slice(opening.length) : piece.text;
    return { ...piece, text: piece === last ? text.slice(0, -1) : text };
  });
}

function readTest(name: string, value: Word, allowing: boolean): ArgumentTest {
  const text = value.map((piece) => piece.text).join("");
  switch (name) {
    case "regex":
      return { type: "regex", pattern: createPattern(text, allowing) };
    case "under": {
      checkGlob(value);
      const isPattern = value.some((piece) => !piece.quoted && piece.text.includes("*"));
      const folder = isPattern ? null : readFolder(text);
      if (folder === null) throw new RuleProblem("under takes one folder, without wildcards, .. and ~");
      return { type: "under", folder };
    }
    case "host":
      return { type: "host", glob: hostGlob(value) };
    default:
      throw new RuleProblem(
        `${name}( is no condition; there are regex(path), under(path) and host(path), and a path that holds a ( stands in quotes`,
      );
  }
}

function about(text: string, left: Word, test: ArgumentTest): PathCondition {
  checkKey(left);
  const path = readPath(left);
  if (path === null) {
    throw new RuleProblem("before = the path of an argument is expected, such as path or options.path");
  }
  return { text, path, key: JSON.stringify(path), ...test };
}

/** Keys split at unquoted dots; null when one is empty. */
function readPath(word: Word): readonly string[] | null {
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
