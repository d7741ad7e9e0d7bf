import type { AuditEntry } from "../types/audit.ts";
import type { Json, JsonObject } from "../types/json.ts";
import type {
  CallFacts,
  PolicyChange,
  PolicyCheck,
  PolicyCheckSettings,
  PolicyDecision,
  PolicyRules,
  RunReads,
} from "../types/policy.ts";
import { builtinServer } from "../types/tool.ts";
import { isObject } from "../util/own.ts";
import { isAboutArgument, type PathCondition, type RuleCondition } from "./condition-words.ts";
import { type CallView, createCallView, foundValues, meetsCondition } from "./conditions.ts";
import { type Hints, readHints } from "./hints.ts";
import { isUntrusted } from "./labels.ts";
import { byTier, createRuleIndex, type TieredRules } from "./rule-index.ts";
import { parseProjectRules, parseRules, type Rule } from "./rules.ts";
import { readFolder } from "./under.ts";
import { weigh } from "./weigh.ts";

type DecidedCall = Extract<AuditEntry, { kind: "call_intended" } | { kind: "call_denied" }>;

/** What is not known of a past call; its facts hold something in its place. */
interface PastCall {
  readonly facts: CallFacts;
  readonly knowsTool: boolean;
  readonly knowsMode: boolean;
  readonly knowsPrincipal: boolean;
  readonly knowsArguments: boolean;
}

/** More rules than this that may or may not match, and a call is left undecided. */
const mostOpenRules = 6;

/** What the log has told of a run so far. */
interface PastRun {
  readonly seen: Set<string>;
  principal?: string;
  /** Of this run alone: what earlier runs of its conversation read is not known. */
  reads: { readonly untrusted: boolean; readonly private: boolean; readonly privateFrom: readonly string[] };
}

/** Runs whose end does not come, such as direct calls, are forgotten. */
const mostRuns = 10_000;

/** What becomes of a log's entry: `same` for a call that is decided as it was, null for what is no call, or no new one. */
export type Replay = (entry: AuditEntry) => PolicyChange | "same" | null;

/**
 * Replays the calls of an audit log under other rules, and tells those that the policy would decide otherwise. Pure: the
 * log is left as it is. The log does not say what a server's hints were, whether it was trusted, what earlier runs had
 * read and, for calls that a rule decided, whether anybody could be asked; secrets in arguments are blanked out. Where
 * the decision depends on any of these the call is `undecided`.
 * @throws HostError `config_invalid` for a rule that is not valid
 */
export function checkPolicy(
  records: Iterable<AuditEntry>,
  rules: PolicyRules,
  settings: PolicyCheckSettings = {},
): PolicyCheck {
  const replay = createReplay(rules, settings);
  const changes: PolicyChange[] = [];
  let same = 0;
  for (const entry of records) {
    const found = replay(entry);
    if (found === "same") same += 1;
    else if (found !== null) changes.push(found);
  }
  return { calls: same + changes.length, same, changes };
}

/**
 * The same entry by entry, in the order of the log; what it keeps is bounded.
 * @throws HostError `config_invalid` for a rule that is not valid
 */
export function createReplay(rules: PolicyRules, settings: PolicyCheckSettings = {}): Replay {
  const candidates = createRuleIndex([
    ...parseRules(rules.administratorRules ?? [], "administrator"),
    ...parseRules(rules.rules ?? [], "user"),
    ...parseProjectRules(rules.projectRules ?? []),
  ]);
  const runs = new Map<string, PastRun>();

  function runOf(id: string): PastRun {
    const known = runs.get(id);
    if (known !== undefined) return known;
    const [oldest] = runs.keys();
    if (runs.size >= mostRuns && oldest !== undefined) runs.delete(oldest);
    const run: PastRun = { seen: new Set(), reads: { untrusted: false, private: false, privateFrom: [] } };
    runs.set(id, run);
    return run;
  }

  function decide(entry: DecidedCall): PolicyChange | "same" | null {
    const { server, tool, run: id, call } = entry;
    const run = runOf(id);
    if (run.seen.has(call)) return null;
    run.seen.add(call);
    const before = decisionBefore(entry);
    const past = pastCall(entry, run, settings);
    const after = decisionAfter(past, candidates(past.facts.route), settings);
    if (after?.decision === before) return "same";
    return { run: id, call, server, tool, before, ...(after ?? undecided) };
  }

  return (entry) => {
    switch (entry.kind) {
      case "run_started":
        runOf(entry.run).principal = entry.principal;
        return null;
      case "call_settled":
        noteRead(entry, runOf(entry.run));
        return null;
      case "run_ended":
        runs.delete(entry.run);
        return null;
      case "call_intended":
      case "call_denied":
        return decide(entry);
      default:
        return null;
    }
  };
}

function noteRead({ labels, server }: Extract<AuditEntry, { kind: "call_settled" }>, run: PastRun): void {
  if (labels === undefined) return;
  const { untrusted, private: isPrivate, privateFrom } = run.reads;
  const isNew = labels.private && !privateFrom.includes(server);
  run.reads = {
    untrusted: untrusted || isUntrusted(labels),
    private: isPrivate || labels.private,
    privateFrom: isNew ? [...privateFrom, server] : privateFrom,
  };
}

const undecided = {
  decision: "undecided" as const,
  reason: "It depends on what the log does not say.",
};

/** What the policy decided then; whether a person or a grant then answered is another matter. */
function decisionBefore({ kind, by, ...entry }: DecidedCall): PolicyDecision {
  if (by.type === "person" || by.type === "grant" || by.type === "flow") return "ask";
  if (kind === "call_intended") return "allow";
  const wasAsked = ("unasked" in entry && entry.unasked) || by.type === "default" || by.type === "hint";
  return wasAsked ? "ask" : "deny";
}

function pastCall(
  entry: DecidedCall,
  run: PastRun,
  { toolOf, principal = run.principal }: PolicyCheckSettings,
): PastCall {
  const { server, tool, by } = entry;
  const known = toolOf?.(entry) ?? null;
  const headless = entry.kind === "call_denied" && entry.unasked;
  return {
    facts: {
      route: { server, tool },
      arguments: objectOf(entry.arguments),
      trusted: known?.trusted ?? false,
      annotations: known?.annotations ?? {},
      folder: known?.folder ?? null,
      principal: principal ?? "",
      mode: headless ? "headless" : "interactive",
      // What a flow was asked for had been read, by whatever run.
      reads: by.type === "flow" ? { untrusted: true, private: true } : run.reads,
      origin: by.type === "direct" ? "direct" : "model",
    },
    knowsTool: known !== null,
    knowsMode: headless || by.type === "person",
    knowsPrincipal: principal !== undefined,
    knowsArguments: isObject(entry.arguments),
  };
}

function objectOf(value: Json): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}

/** The decision where it is the same whatever is not known; else null. */
function decisionAfter(
  past: PastCall,
  found: TieredRules,
  { flows = "ask" }: PolicyCheckSettings,
): { readonly decision: PolicyDecision; readonly reason: string } | null {
  if (past.facts.route.server === builtinServer) {
    return { decision: "allow", reason: "It is a tool of the host." };
  }
  const view = createCallView(past.facts);
  const named = [...found.administrator, ...found.user, ...found.project];
  const readings = named.map((rule) => [rule, reads(rule, past, view)] as const);
  const open = readings.filter(([, met]) => met === null).map(([rule]) => rule);
  if (open.length > mostOpenRules) return null;
  const hints = past.knowsTool ? [readHints(past.facts)] : possibleHints;
  let decided: { readonly decision: PolicyDecision; readonly reason: string } | null = null;
  for (let chosen = 0; chosen < 1 << open.length; chosen++) {
    const matches = (rule: Rule, met: boolean | null) => met ?? (chosen & (1 << open.indexOf(rule))) !== 0;
    const matching = byTier(readings.filter(([rule, met]) => matches(rule, met)).map(([rule]) => rule));
    for (const hint of hints) {
      const last = weigh(matching, past.facts, { hints: hint, flows }).at(-1);
      const decision = last?.effect === "allow" || last?.effect === "ask" ? last.effect : "deny";
      if (decided !== null && decided.decision !== decision) return null;
      decided ??= { decision, reason: last?.reason ?? "" };
    }
  }
  return decided;
}

const possibleHints: readonly Hints[] = [
  { destructive: false, readOnly: false, reachesOutside: "unknown" },
  { destructive: false, readOnly: true, reachesOutside: "unknown" },
  { destructive: true, readOnly: false, reachesOutside: "unknown" },
];

/** Whether a rule matched, or null where that depends on what is not known. */
function reads(rule: Rule, past: PastCall, view: CallView): boolean | null {
  const met = rule.conditions.map((condition) =>
    isKnown(condition, past, view) ? meetsCondition(rule, condition, view) : null,
  );
  return met.includes(false) ? false : met.includes(null) ? null : true;
}

function isKnown(condition: RuleCondition, past: PastCall, view: CallView): boolean {
  switch (condition.type) {
    case "trust":
    case "annotation":
      return past.knowsTool;
    case "mode":
      return past.knowsMode;
    case "principal":
      return past.knowsPrincipal;
    case "flow":
      // What was read stays read; what was not may have been, by an earlier run.
      return hasRead(condition.from, past.facts.reads) && (condition.to === "*" || past.knowsTool);
    default:
      return past.knowsArguments && isAboutArgument(condition) && isWhole(condition, past, view);
  }
}

function hasRead(from: "untrusted" | "private" | "*", reads: RunReads): boolean {
  return from === "*" || reads[from];
}

/** Whether nothing that the condition looks at was blanked out, and a relative path has its base. */
function isWhole(condition: PathCondition, past: PastCall, view: CallView): boolean {
  const texts = foundValues(condition, view).map(({ text }) => text ?? "");
  if (texts.length === 0) return !JSON.stringify(past.facts.arguments).includes(blanked);
  if (texts.some((text) => text.includes(blanked))) return false;
  if (condition.type !== "under" || past.knowsTool) return true;
  return condition.folder.absolute && texts.every((text) => readFolder(text)?.absolute !== false);
}

/** What stands in the place of a secret begins so. */
const blanked = "⟨";
