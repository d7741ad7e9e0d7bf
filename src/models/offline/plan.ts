import type { Json, JsonObject } from "../../types/json.ts";
import { builtinServer, type CatalogTool, type ToolSnapshot } from "../../types/tool.ts";
import { isObject, own } from "../../util/own.ts";
import { surelyValid } from "./check.ts";
import { fillArguments } from "./fill.ts";
import { callKey, type Exchange, type History } from "./history.ts";
import { listedPaths, readMatches } from "./matches.ts";
import { type Goal, parseQuestion, type Question } from "./question.ts";
import { type Candidate, callable, candidatesFor, type ToolIndex } from "./rank.ts";
import { type Scan, scanFiles } from "./scan.ts";

/** A call to propose. */
export interface PlannedCall {
  readonly tool: CatalogTool;
  readonly arguments: JsonObject;
}

/** What is known of a goal: its candidates, and the calls made for it. */
export interface GoalState {
  readonly goal: Goal;
  readonly candidates: readonly Candidate[];
  readonly exchanges: readonly Exchange[];
  /** What reading the files found, where no tool searches in them. */
  readonly scan: Scan | null;
}

/** The next step: calls, or none when it is time to answer. */
export interface Plan {
  readonly question: Question;
  readonly calls: readonly PlannedCall[];
  readonly goals: readonly GoalState[];
}

const mostTurns = 6;
const mostCallsPerTurn = 8;
const mostFilesRead = 5;
const mostPages = 3;

/** Plans from the messages alone: the same messages always give the same step. */
export function planStep(history: History, snapshot: ToolSnapshot, index: ToolIndex): Plan {
  const question = parseQuestion(history.question);
  const made = new Map(history.exchanges.map((exchange) => [exchange.key, exchange]));
  const planned = new Map<string, PlannedCall>();
  const goals = question.goals.map((goal): GoalState => {
    const candidates = candidatesFor(goal, index);
    const exchanges: Exchange[] = [];
    const look: Look = (call) => {
      const exchange = made.get(callKey(call.tool.alias, call.arguments));
      if (exchange !== undefined && !exchanges.includes(exchange)) exchanges.push(exchange);
      return exchange;
    };
    const searchable = callable(candidates)[0]?.facts.searches === "content";
    const scan = goal.looksFor === "content" && !searchable ? scanFiles(goal, index, look) : null;
    const open = scan?.open ?? stepsFor(goal, candidates, question, index, snapshot, look);
    for (const call of open) planned.set(callKey(call.tool.alias, call.arguments), call);
    return { goal, candidates, exchanges, scan };
  });
  const calls = history.turns >= mostTurns ? [] : [...planned.values()].slice(0, mostCallsPerTurn);
  return { question, calls, goals };
}

/** Gives the exchange of a call that was made already. */
export type Look = (call: PlannedCall) => Exchange | undefined;

/** The calls that a goal still needs. */
function stepsFor(
  goal: Goal,
  candidates: readonly Candidate[],
  question: Question,
  index: ToolIndex,
  snapshot: ToolSnapshot,
  look: Look,
): PlannedCall[] {
  const [best, second] = callable(candidates);
  if (best === undefined) return [];
  const first = ask(callsOf(best), look);
  if (first.open.length > 0) return first.open;
  const answered = first.done.filter((exchange) => !exchange.isError);
  if (answered.length > 0) {
    const pages = pagesOf(answered, snapshot, look);
    return pages.open.length > 0
      ? pages.open
      : readsOf([...answered, ...pages.done], best, question, index, look);
  }
  if (first.done.some((exchange) => wasDenied(exchange))) return [];
  const outside = first.done.some((exchange) =>
    /\b(?:denied|outside|allowed|absolute)\b/i.test(exchange.text),
  );
  const rooted = outside ? retryInRoot(best, goal, index, look) : null;
  if (rooted !== null) return rooted;
  return second === undefined ? [] : ask(callsOf(second), look).open;
}

/** Splits calls into those still to make and the exchanges of those made. */
function ask(calls: readonly PlannedCall[], look: Look): { open: PlannedCall[]; done: Exchange[] } {
  const open: PlannedCall[] = [];
  const done: Exchange[] = [];
  for (const call of calls) {
    const exchange = look(call);
    if (exchange === undefined) open.push(call);
    else done.push(exchange);
  }
  return { open, done };
}

/** Whether a person or a rule of the host said no: the host begins such a result with this word. */
export function wasDenied(exchange: Exchange): boolean {
  return exchange.isError && /^Denied\b/.test(exchange.text);
}

/** One call; or one for each path, when the question names several and the tool reads one at a time. */
function callsOf({ facts, filled, goal }: Candidate): PlannedCall[] {
  const paths = goal.tokens.filter((token) => token.kind === "path");
  const single = facts.parameters.filter((each) => each.role === "path" && each.type === "string");
  if (!facts.readOnly || paths.length < 2 || single.length !== 1)
    return [{ tool: facts.tool, arguments: filled.arguments }];
  return paths.slice(0, mostCallsPerTurn).flatMap((path) => {
    const tokens = goal.tokens.filter((token) => token === path || token.kind !== "path");
    const one = fillArguments(facts, { ...goal, tokens });
    return one.missing.length === 0 ? [{ tool: facts.tool, arguments: one.arguments }] : [];
  });
}

/** A shortened output says how to read the rest with a tool of the host: that call, a few times at most. */
function pagesOf(
  exchanges: readonly Exchange[],
  snapshot: ToolSnapshot,
  look: Look,
): { open: PlannedCall[]; done: Exchange[] } {
  const done: Exchange[] = [];
  let open: PlannedCall[] = [];
  for (const exchange of exchanges) {
    let page: Exchange | undefined = exchange;
    for (let count = 0; count < mostPages && page !== undefined && open.length === 0; count++) {
      const call = pagerCall(page.text, snapshot);
      if (call === null) break;
      page = look(call);
      if (page === undefined) open = [call];
      else done.push(page);
    }
  }
  return { open, done };
}

/** The call that a note such as `read it with drawbridge__read_output {"id":"…"}` asks for. */
function pagerCall(text: string, snapshot: ToolSnapshot): PlannedCall | null {
  for (const tool of snapshot.tools) {
    if (tool.route.server !== builtinServer) continue;
    const at = text.lastIndexOf(`${tool.alias} {`);
    const start = at + tool.alias.length + 1;
    const end = text.indexOf("}", start);
    if (at < 0 || end < 0 || end - start > 500) continue;
    const given = parsedObject(text.slice(start, end + 1));
    if (given !== null && surelyValid(tool.definition.inputSchema, given)) return { tool, arguments: given };
  }
  return null;
}

function parsedObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** The files that a search only named are read when the question wants to know what is in them. */
function readsOf(
  answered: readonly Exchange[],
  found: Candidate,
  question: Question,
  index: ToolIndex,
  look: Look,
): PlannedCall[] {
  const wanted = question.wantsContents || question.wantsSummary;
  if (!wanted || found.facts.searches === null) return [];
  if (answered.some((exchange) => readMatches(exchange.text).matches.length > 0)) return [];
  const paths = answered
    .flatMap((exchange) => listedPaths(exchange.text, mostFilesRead))
    .slice(0, mostFilesRead);
  const server = found.facts.tool.route.server;
  const calls = paths.flatMap((path) => {
    const [goal] = parseQuestion(`read the file "${path.replaceAll('"', "")}"`).goals;
    const readers = goal === undefined ? [] : callable(candidatesFor(goal, index));
    const reader = readers.find((each) => each.facts.tool.route.server === server) ?? readers[0];
    return reader?.facts.readOnly === true
      ? [{ tool: reader.facts.tool, arguments: reader.filled.arguments }]
      : [];
  });
  return ask(calls, look).open;
}

/**
 * A relative path that its server refused is tried once more below the first folder that the server says it may use.
 * Null when that is no way.
 */
function retryInRoot(best: Candidate, goal: Goal, index: ToolIndex, look: Look): PlannedCall[] | null {
  const { facts, filled } = best;
  const path = facts.parameters.find((each) => each.role === "path" && each.type === "string");
  const given = path === undefined ? undefined : own(filled.arguments, path.name);
  if (path === undefined || !facts.readOnly || typeof given !== "string" || /^(?:\/|[A-Za-z]:|~)/.test(given))
    return null;
  const lister = index.tools.find(
    (each) =>
      each.tool.route.server === facts.tool.route.server &&
      each.readOnly &&
      each.parameters.length === 0 &&
      each.nameStems.some((word) => word === "root" || word === "allow"),
  );
  if (lister === undefined || goal.tokens.filter((token) => token.kind === "path").length > 1) return null;
  const call = { tool: lister.tool, arguments: {} };
  const roots = look(call);
  if (roots === undefined) return surelyValid(lister.tool.definition.inputSchema, {}) ? [call] : null;
  const [root] = roots.isError ? [] : listedPaths(roots.text, 1);
  if (root === undefined) return null;
  const absolute: Json = given === "." ? root : `${root.replace(/\/$/, "")}/${given.replace(/^\.\//, "")}`;
  const retry = { tool: facts.tool, arguments: { ...filled.arguments, [path.name]: absolute } };
  return look(retry) === undefined && surelyValid(facts.tool.definition.inputSchema, retry.arguments)
    ? [retry]
    : [];
}
