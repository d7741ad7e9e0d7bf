import { toHostError } from "../errors.ts";
import type { ApprovalAnswer, Approver } from "../types/approval.ts";
import type { Consent, ConsentContext } from "../types/consent.ts";
import type { AllowDecision, DecisionSource, DenyDecision, Verdict } from "../types/outcome.ts";
import type { CallFacts, Flows, ShadowVerdict } from "../types/policy.ts";
import type { Clock } from "../types/ports.ts";
import type { ServerToolList, ToolCall, ToolRoute } from "../types/tool.ts";
import { askApprover, type Reply } from "./ask.ts";
import { assessDrift, believedFacts, type Drift, driftWarnings, noDrift, unexpectedReason } from "./drift.ts";
import { explainCall, type RulesExplanation } from "./explain.ts";
import { extentOf, personReason } from "./extent.ts";
import { factsOf, type HostFacts } from "./facts.ts";
import type { QuestionReason } from "./grant-binding.ts";
import { createGrants, type Grants, type LastingGrants } from "./grants.ts";
import { type Assessment, createPolicy, type Policy } from "./policy.ts";
import { addToGroups, type CallGroup, toQuestion } from "./questions.ts";
import { readRules } from "./settings-rules.ts";
import { type Shadow, shadowWarning } from "./shadow.ts";
import { createStamps, type Stamps } from "./stamp.ts";
import { suggestRule } from "./suggestion.ts";

export interface ConsentSettings {
  /** The user's rules; see `parseRules`. */
  readonly rules: readonly string[];
  /** Rules of a project's file, which may only ask, deny and hide. */
  readonly projectRules?: readonly string[];
  /** Whether the classic triple of a flow is asked about; `@flow` conditions hold anyway. Default: `ask`. */
  readonly flows?: Flows;
  /** Rules of an administrator: where one matches, the user's are not looked at. */
  readonly administratorRules?: readonly string[];
  /** Rules that are tried out in the place of `rules`: what they would change is told, and nothing else. */
  readonly shadowRules?: readonly string[];
  /** The same, in the place of `administratorRules`. */
  readonly administratorShadowRules?: readonly string[];
  /** The absolute folder that a server works in, or null. Default: none is known. */
  readonly folderOf?: (server: string) => string | null;
  /** Null where nobody can be asked: such calls are denied. */
  readonly approve: Approver | null;
  readonly clock: Clock;
  /** Blanks out secrets, for those who show a question. Default: nothing is a secret. */
  readonly redact?: (text: string) => string;
  /** The ids of the host's servers. */
  readonly servers?: readonly string[];
  /** Grants that outlast a conversation. Default: there are none. */
  readonly lasting?: LastingGrants;
  /** What tools were before. Default: nobody knows. */
  readonly drift?: Drift;
}

/** Consent of a host, which also says what the model must not even see. */
export interface HostConsent extends Consent {
  hidden(route: ToolRoute): boolean;
  /** Which rule would decide a call of the model now, and why. Nothing is asked, run or recorded. */
  explain(
    call: Pick<ToolCall, "tool" | "arguments">,
    context: Pick<ConsentContext, "principal" | "reads">,
  ): RulesExplanation;
  /** What is wrong with the rules without making them useless, as sentences. */
  readonly warnings: readonly string[];
  /** The same of rules that can match nothing of the tools that these servers have. */
  misses(lists: readonly ServerToolList[]): readonly string[];
}

interface Parts {
  readonly policy: Policy;
  readonly shadow: Shadow;
  readonly host: HostFacts;
  readonly approve: Approver | null;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly grants: Grants;
  readonly stamps: Stamps;
  readonly drift: Drift;
}

/** The only place where a call is allowed. Throws `config_invalid` when a rule is not valid. */
export function createConsent(settings: ConsentSettings): HostConsent {
  const { rules, shadow, warnings, misses } = readRules(settings);
  const policy = createPolicy(rules, { flows: settings.flows ?? "ask" });
  const { approve, clock, redact = (text) => text, folderOf = () => null } = settings;
  const host: HostFacts = { mode: approve === null ? "headless" : "interactive", folderOf };
  const grants = createGrants(settings.lasting ?? { store: () => null, mayLast: () => false });
  const parts: Parts = {
    ...{ policy, shadow, host, approve, clock, redact, grants },
    stamps: createStamps(),
    drift: settings.drift ?? noDrift,
  };

  return {
    warnings,
    misses,
    decide(calls, context) {
      const verdicts: Promise<Verdict>[] = [];
      const groups = new Map<string, CallGroup>();
      const decided: ToolCall[] = [];
      for (const [index, call] of calls.entries()) {
        const facts = factsOf(call, context, host);
        const doubted = () => policy.assess(believedFacts(facts, call.tool, parts.drift));
        const assessment = assessDrift(call, assess(call, facts, context, parts), parts.drift, doubted);
        const verdict = settleWithoutQuestion(call, facts, assessment, context, parts);
        if (verdict === null) addToGroups(groups, call, index, assessment);
        else {
          decided.push(call);
          verdicts[index] = Promise.resolve(verdict);
        }
      }
      for (const [index, verdict] of askAll([...groups.values()], decided, context, parts)) {
        verdicts[index] = verdict;
      }
      return verdicts;
    },
    recheck: parts.stamps.recheck,
    hidden: policy.hidden,
    explain: (call, context) =>
      explainCall(parts, call, factsOf(call, { ...context, origin: "model" }, host)),
  };
}

/** The policy's assessment, with what is known of the call beside and with what is tried out. */
function assess(call: ToolCall, facts: CallFacts, context: ConsentContext, parts: Parts): Assessment {
  const assessment = parts.policy.assess(facts);
  const warnings = [...assessment.warnings, ...call.warnings];
  const shadow = parts.shadow(facts, assessment);
  if (shadow === null) return { ...assessment, warnings };
  context.emit({ type: "warning", code: "policy_shadow", text: shadowWarning(facts, assessment, shadow) });
  return { ...assessment, warnings, shadow };
}

/** The verdict of a call that needs no question, or null. */
function settleWithoutQuestion(
  call: ToolCall,
  facts: CallFacts,
  assessment: Assessment,
  context: ConsentContext,
  parts: Parts,
): Verdict | null {
  const { by, reason, warnings } = assessment;
  const tried = shadowOf(assessment);
  if (assessment.type === "deny") return denied(call, by, `Denied: ${reason}`, tried);
  if (assessment.type === "allow") {
    return allowed(call, { type: "allow", by, reason, warnings, waitedMs: 0, ...tried }, parts);
  }
  const grant = assessment.grantable
    ? parts.grants.find(call, { ...context, ...questionReason(assessment) })
    : null;
  if (grant !== null) {
    const reason = parts.redact(grant.reason);
    const decision = { type: "allow", by: grant.by, reason, warnings, waitedMs: 0, ...tried } as const;
    return allowed(call, decision, parts, grant.holds);
  }
  return parts.approve === null ? deniedUnasked(call, facts, assessment, parts) : null;
}

function questionReason({ by, beneath, privateFrom }: Assessment): QuestionReason {
  return { by, beneath, privateFrom };
}

function shadowOf({ shadow }: Assessment): { readonly shadow?: ShadowVerdict } {
  return shadow === undefined ? {} : { shadow };
}

function allowed(
  call: ToolCall,
  decision: AllowDecision,
  parts: Parts,
  holds: () => boolean = () => true,
): Verdict {
  return { type: "approved", approved: parts.stamps.stamp(call, decision, holds) };
}

function denied(
  call: ToolCall,
  by: DecisionSource,
  reason: string,
  how: Partial<Pick<DenyDecision, "unasked" | "waitedMs" | "rule" | "shadow">> = {},
): Verdict {
  return {
    type: "denied",
    call,
    decision: { type: "deny", by, reason, unasked: false, waitedMs: 0, ...how },
  };
}

function deniedUnasked(call: ToolCall, facts: CallFacts, assessment: Assessment, parts: Parts): Verdict {
  const { policy, redact, drift } = parts;
  const rule = suggestRule(believedFacts(facts, call.tool, drift), policy, redact);
  const advice =
    rule === null
      ? `No single rule would allow it. ${assessment.reason}`
      : `${unexpectedReason(assessment)}To allow it, add the rule: ${rule}`;
  return denied(call, assessment.by, `Denied: nobody could be asked. ${advice}`, {
    unasked: true,
    ...(rule === null ? {} : { rule }),
    ...shadowOf(assessment),
  });
}

/** Asks about all groups in one request and returns a promise for each place in the turn. */
function askAll(
  groups: readonly CallGroup[],
  decided: readonly ToolCall[],
  context: ConsentContext,
  parts: Parts,
): readonly (readonly [number, Promise<Verdict>])[] {
  const { approve, clock, grants, redact, drift } = parts;
  if (groups.length === 0 || approve === null) return [];
  const askedAt = clock.now();
  const pending: (readonly [number, Promise<Verdict>])[] = [];
  const settlers = new Map<string, (reply: Reply) => void>();
  const questions = groups.map((group) => {
    const asked = { ...context, ...questionReason(group.assessment) };
    const [call] = group.calls;
    const scopes = grants.scopes(call, group.assessment);
    const told = driftWarnings(call, grants.changes(call, asked), drift);
    const question = toQuestion(group, told, scopes, redact);
    const settle: ((reply: Reply) => void)[] = [];
    for (const [position, call] of group.calls.entries()) {
      const verdict = new Promise<Verdict>((resolve) => {
        settle.push((reply) => resolve(toVerdict(call, reply, group, clock.now() - askedAt, context, parts)));
      });
      pending.push([group.indexes[position] ?? 0, verdict]);
    }
    settlers.set(question.id, (reply) => {
      for (const one of settle) one(reply);
    });
    return question;
  });
  const { runId, turn, principal, signal } = context;
  if (!signal.aborted) {
    const callIds = questions.flatMap((question) => question.calls.map((call) => call.id));
    context.emit({ type: "approval_requested", turn, callIds });
  }
  const request = { runId, turn, principal, questions, decided, signal, redact };
  askApprover(approve, request, (questionId, reply) => settlers.get(questionId)?.(reply));
  return pending;
}

/** Anything that is not clearly an allow is a deny. */
function toVerdict(
  call: ToolCall,
  reply: Reply,
  group: CallGroup,
  waitedMs: number,
  context: ConsentContext,
  parts: Parts,
): Verdict | Promise<Verdict> {
  const tried = shadowOf(group.assessment);
  if (reply.type === "unanswered") {
    const reason = `Denied: ${reply.reason}`;
    return denied(call, { type: "default" }, reason, { unasked: reply.unasked, waitedMs, ...tried });
  }
  const { answer } = reply;
  const by: DecisionSource = { type: "person", principal: context.principal };
  if (answer.type === "deny") {
    const { message } = answer;
    return denied(call, by, message ? `Denied by the person: ${message}` : "Denied by the person.", {
      waitedMs,
      ...tried,
    });
  }
  return allowedByPerson(call, answer, group.assessment, waitedMs, context, parts);
}

/** For as long as the person said, but no longer than was offered. */
function allowedByPerson(
  call: ToolCall,
  answer: Extract<ApprovalAnswer, { type: "allow" }>,
  assessment: Assessment,
  waitedMs: number,
  context: ConsentContext,
  parts: Parts,
): Verdict | Promise<Verdict> {
  const { grants, redact } = parts;
  const { warnings } = assessment;
  const asked = { ...context, ...questionReason(assessment) };
  const by: DecisionSource = { type: "person", principal: context.principal };
  const extent = extentOf(call, answer, grants.scopes(call, assessment), redact);
  const { scope, conditions } = extent;
  const reason = redact(personReason(extent));
  const verdict = (more: readonly string[] = []) =>
    allowed(
      call,
      { type: "allow", by, reason, warnings: [...warnings, ...more], waitedMs, ...shadowOf(assessment) },
      parts,
    );
  grants.noteAllowed(call, asked);
  parts.drift.accept(call.tool);
  if (scope === "once") return verdict();
  const adding = grants.add(call, asked, scope, conditions);
  if (scope === "conversation") return verdict();
  return adding.then(
    () => verdict(),
    (error: unknown) => verdict([`It is allowed for this conversation only: ${toHostError(error).message}`]),
  );
}
