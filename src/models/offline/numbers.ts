import type { Goal } from "./question.ts";
import type { Token } from "./tokens.ts";
import type { Parameter } from "./tool-facts.ts";
import { isTelling, stem } from "./words.ts";

const mostNumbers = 20;
const lineStems = new Set(["line", "head", "tail", "start", "end", "offset"].map(stem));

/** Numbers of a question for numeric parameters: lines first, then by the words around them, then the required ones in order. */
export function fillNumbers(
  parameters: readonly Parameter[],
  goal: Goal,
  used: Set<Token>,
): ReadonlyMap<Parameter, number> {
  const numeric = parameters.filter((parameter) => parameter.type === "number");
  const found = new Map<Parameter, number>();
  const tokens = goal.tokens
    .filter((token) => token.kind === "number" && !used.has(token))
    .slice(0, mostNumbers);
  if (numeric.length === 0 || tokens.length === 0) return found;
  const give = (parameter: Parameter | undefined, token: Token | undefined) => {
    if (parameter === undefined || token === undefined || found.has(parameter)) return;
    found.set(parameter, Number(token.text));
    used.add(token);
  };
  const lines = numeric.filter((each) => !each.required && each.stems.some((one) => lineStems.has(one)));
  fillLines(lines, goal, tokens, give);
  const others = numeric.filter((each) => !lines.includes(each));
  for (const token of tokens)
    if (!used.has(token))
      give(
        closest(
          others.filter((each) => !found.has(each)),
          goal,
          token,
        ),
        token,
      );
  const required = others.filter((each) => each.required && !found.has(each));
  const left = tokens.filter((token) => !used.has(token));
  if (required.length === left.length)
    for (const [index, each] of required.entries()) give(each, left[index]);
  return found;
}

/** `first 5 lines`, `last 5 lines`, `lines 5 to 9`, `line 5`. Other numbers say nothing about lines. */
function fillLines(
  lines: readonly Parameter[],
  goal: Goal,
  numbers: readonly Token[],
  give: (parameter: Parameter | undefined, token: Token | undefined) => void,
): void {
  const named = (...names: string[]) =>
    lines.find((each) => names.some((name) => each.stems.includes(stem(name))));
  const before = (token: Token | undefined) => {
    const at = token === undefined ? 0 : goal.tokens.indexOf(token);
    return goal.tokens[at - 1]?.text.toLowerCase() ?? "";
  };
  const [first, second] = numbers;
  if (before(first) === "first" || before(first) === "top") give(named("head", "end"), first);
  else if (before(first) === "last") give(named("tail"), first);
  else if (/^lines?$/.test(before(first))) {
    const start = named("start", "offset");
    const end = named("end");
    if (start === undefined || end === undefined) return;
    give(start, first);
    give(end, /^(?:to|and|-|–|through|until)$/.test(before(second)) ? second : first);
  }
}

/** The one parameter whose name or description shares most words with the number's neighbours. */
function closest(parameters: readonly Parameter[], goal: Goal, token: Token): Parameter | undefined {
  const at = goal.tokens.indexOf(token);
  const around = [at - 2, at - 1, at + 1, at + 2]
    .flatMap((place) => [...(goal.tokens[place]?.stems ?? [])])
    .filter(isTelling);
  const scored = parameters
    .map((parameter) => ({
      parameter,
      score: around.reduce(
        (sum, word) => sum + (parameter.stems.includes(word) ? 3 : 0) + (parameter.hint.has(word) ? 1 : 0),
        0,
      ),
    }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score);
  return scored[0] !== undefined && scored[0].score > (scored[1]?.score ?? 0)
    ? scored[0].parameter
    : undefined;
}
