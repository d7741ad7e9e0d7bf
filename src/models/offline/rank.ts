import type MiniSearch from "minisearch";
import { builtinServer, type ToolSnapshot } from "../../types/tool.ts";
import { type Filled, fillArguments } from "./fill.ts";
import type { Goal } from "./question.ts";
import { factsOf, type ToolFacts } from "./tool-facts.ts";
import { readsAsPath } from "./values.ts";
import { extensionOf, isTelling, sameAction, stem, stemsOf, synonymsOf } from "./words.ts";

/** A tool for a goal, with the arguments that the question gives for it. */
export interface Candidate {
  /** The goal without the tool's name, where the question says it. */
  readonly goal: Goal;
  readonly facts: ToolFacts;
  readonly filled: Filled;
  readonly score: number;
  /** The score of the words alone, whatever could be filled. */
  readonly worded: number;
}

/** The searchable tools of a snapshot. */
export interface ToolIndex {
  readonly tools: readonly ToolFacts[];
  /** BM25+ scores by position in `tools`. */
  scores(terms: ReadonlyMap<string, number>): ReadonlyMap<number, number>;
}

/** A worse tool than this share of the best one's score is no alternative to it. */
const closeEnough = 0.4;
const mostFilled = 24;

const indexes = new WeakMap<ToolSnapshot, Promise<ToolIndex>>();

/** The index of a snapshot: made once, since a snapshot never changes. */
export function toolIndex(snapshot: ToolSnapshot): Promise<ToolIndex> {
  const known = indexes.get(snapshot) ?? makeIndex(snapshot);
  indexes.set(snapshot, known);
  return known;
}

async function makeIndex(snapshot: ToolSnapshot): Promise<ToolIndex> {
  const { default: Search } = await import("minisearch");
  const tools = snapshot.tools
    // The host's own tools page through outputs and answer no question by themselves.
    .filter((tool) => tool.listed && tool.route.server !== builtinServer)
    .map(factsOf);
  const search: MiniSearch = new Search({
    fields: ["name", "title", "description", "parameters"],
    tokenize: stemsOf,
    processTerm: (term) => (isTelling(term) ? term : null),
    searchOptions: { boost: { name: 3, title: 1.5, description: 1, parameters: 0.5 } },
  });
  search.addAll(tools.map((facts, id) => ({ id, ...textOf(facts) })));
  return {
    tools,
    scores(terms) {
      const found = search.search([...terms.keys()].join(" "), {
        tokenize: (query) => query.split(" "),
        boostTerm: (term) => terms.get(term) ?? 1,
      });
      return new Map(found.map((each) => [each.id as number, each.score]));
    },
  };
}

function textOf(facts: ToolFacts): Record<string, string> {
  const { name, title = "", description } = facts.tool.definition;
  const parameters = facts.parameters.map((each) => `${each.name} ${[...each.hint].join(" ")}`).join(" ");
  return { name, title, description: description.slice(0, 4_000), parameters };
}

/** Tools for a goal that nothing speaks against, the best first. Deterministic. */
export function candidatesFor(whole: Goal, index: ToolIndex): Candidate[] {
  const { goal, named } = namedTools(whole, index);
  const terms = termsOf(goal);
  for (const facts of named) for (const word of facts.nameStems) terms.set(word, 2);
  if (terms.size === 0) return [];
  const scored = [...index.scores(terms)]
    .flatMap(([position, bm25]) => {
      const facts = index.tools[position];
      if (facts === undefined || (named.length > 0 ? !named.includes(facts) : !mayServe(facts, goal)))
        return [];
      return [{ facts, score: bm25 * suitability(facts, goal) }];
    })
    .sort((a, b) => b.score - a.score || (a.facts.tool.alias < b.facts.tool.alias ? -1 : 1))
    .slice(0, mostFilled);
  return scored
    .map(({ facts, score }) => {
      const filled = fillArguments(facts, goal);
      return {
        goal,
        facts,
        filled,
        worded: score,
        score: score * (0.35 + 0.65 * filled.coverage) * aptness(facts, goal),
      };
    })
    .sort((a, b) => b.score - a.score || (a.facts.tool.alias < b.facts.tool.alias ? -1 : 1));
}

/** Tools that an order calls by their whole names, and the goal without those names. */
function namedTools(
  goal: Goal,
  index: ToolIndex,
): { readonly goal: Goal; readonly named: readonly ToolFacts[] } {
  const searches = goal.action !== null && sameAction(goal.action, "search");
  if (goal.asks || searches) return { goal, named: [] };
  const names = ({ tool: { alias, route } }: ToolFacts) => {
    const plain = /[_-]/.test(route.tool) ? [route.tool] : [];
    return [alias, `${route.server}/${route.tool}`, ...plain];
  };
  const said = new Set(goal.tokens.filter((token) => token.kind !== "quoted").map((token) => token.text));
  const named = index.tools.filter((facts) => names(facts).some((name) => said.has(name)));
  if (named.length === 0) return { goal, named };
  const gone = new Set(named.flatMap(names));
  const tokens = goal.tokens.filter((token) => !gone.has(token.text));
  return { goal: { ...goal, tokens, looksFor: null }, named };
}

/**
 * Those that can be called, and that are not far worse than the best one. A tool that may change something is never
 * the substitute of another one that the words fit better.
 */
export function callable(candidates: readonly Candidate[]): Candidate[] {
  const best = candidates[0]?.score ?? 0;
  const meant = Math.max(...candidates.map((each) => each.worded));
  return candidates.filter(
    (each) =>
      each.filled.missing.length === 0 &&
      each.score >= best * closeEnough &&
      (each.facts.readOnly || each.worded === meant),
  );
}

/** What to ask the index for: the goal's own words, weaker their synonyms and the kinds of its values. */
function termsOf(goal: Goal): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (word: string, weight: number) => terms.set(word, Math.max(terms.get(word) ?? 0, weight));
  for (const token of goal.tokens) {
    if (token.kind === "word") {
      if (extensionOf(token.text) !== undefined) continue;
      for (const word of token.stems.filter(isTelling)) {
        add(word, 1);
        for (const other of synonymsOf(word)) add(other, 0.5);
      }
    } else if (token.kind === "path") add(stem(/\.\w+$/.test(token.text) ? "file" : "directory"), 0.6);
    else if (token.kind === "glob") add("pattern", 0.6);
    else if (token.kind === "url") add("url", 0.6);
  }
  if (goal.tokens.some((token) => token.text === "+")) add("sum", 1);
  if (
    goal.action === null &&
    goal.tokens.some((token) => /^(?:files|folders|directories)$/i.test(token.text))
  ) {
    for (const word of ["list", "directory"]) add(stem(word), 0.8);
  }
  if (goal.looksFor !== null && terms.size + goal.tokens.length > 0) {
    add("search", 0.6);
    add(goal.looksFor === "content" ? "content" : "pattern", 0.6);
  }
  return terms;
}

/** A tool that may change something serves only an order that says its verb. */
function mayServe(facts: ToolFacts, goal: Goal): boolean {
  if (facts.readOnly) return true;
  const { action } = goal;
  return !goal.asks && action !== null && facts.leading.some((verb) => sameAction(verb, action));
}

/** How well a tool's kind fits a goal, as a factor. */
function suitability(facts: ToolFacts, goal: Goal): number {
  let factor = facts.deprecated ? 0.5 : 1;
  const { action } = goal;
  if (action !== null) factor *= facts.actions.some((verb) => sameAction(verb, action)) ? 1.6 : 0.6;
  if (goal.looksFor !== null && facts.searches !== null) factor *= facts.searches === goal.looksFor ? 2 : 0.2;
  else if (goal.looksFor !== null) factor *= 0.6;
  return factor;
}

/** Files for tools about files, folders for tools about folders. */
function aptness(facts: ToolFacts, goal: Goal): number {
  const paths = goal.tokens.filter(readsAsPath);
  if (paths.length === 0) return 1;
  if (paths.length === 1 && facts.parameters.some((each) => each.role === "path" && each.type === "strings"))
    return 0.7;
  const folderTool = facts.nameStems.includes(stem("directory")) || facts.nameStems.includes("tree");
  const fileTool = facts.nameStems.includes(stem("file")) && facts.searches === null;
  const files = paths.some((token) => /[^/]\.\w{1,5}$/.test(token.text));
  if (folderTool && files && facts.readOnly) return 0.3;
  return fileTool && !files && facts.readOnly ? 0.6 : 1;
}
