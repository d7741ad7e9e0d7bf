import type { JsonObject } from "./json.ts";
import type { DecisionSource } from "./outcome.ts";
import type { ToolAnnotations, ToolRoute } from "./tool.ts";

/** What a policy says of a call, before anybody is asked. */
export type PolicyDecision = "allow" | "ask" | "deny";

/**
 * Whether the host asks by itself before a call that may carry private content away after untrusted content was read.
 * `always`: also where a rule of the user allows the call.
 */
export type Flows = "ask" | "off" | "always";

/** Where the content of a result comes from. */
export interface ResultLabels {
  /** Whether the operator trusts its server. */
  readonly trusted: boolean;
  /** Whether its tool says that it reaches outside: its texts may then be anybody's. */
  readonly openWorld: boolean;
  /** Whether it may hold what is not for everybody. */
  readonly private: boolean;
}

/** What a conversation has read. It only grows. */
export interface RunReads {
  /** Content of somebody whom the operator does not trust. */
  readonly untrusted: boolean;
  /** Content that is not for everybody. */
  readonly private: boolean;
  /** The servers that the private content came from. Absent where they are not known. */
  readonly privateFrom?: readonly string[] | undefined;
  /** Which results brought it, the newest first; not all of them where there are many. */
  readonly sources?: readonly ReadSource[];
}

/** A result that brought untrusted or private content into a conversation. */
export interface ReadSource extends ToolRoute {
  readonly label: "untrusted" | "private";
  /** Null for an earlier run. */
  readonly turn: number | null;
}

/**
 * All that the policy looks at, for one call. Two kinds follow from it: a call is a *write* unless a trusted server says
 * that the tool only reads. It is *open-world* where its server says so; and it is unless a trusted server says that it
 * is not, or all private content of the conversation came from this very server: going back is not leaving.
 */
export interface CallFacts {
  readonly route: ToolRoute;
  readonly arguments: JsonObject;
  /** Whether the operator trusts the server; the annotations loosen nothing otherwise. */
  readonly trusted: boolean;
  readonly annotations: ToolAnnotations;
  /** The absolute folder that the server works in, or null where it is not known. */
  readonly folder: string | null;
  readonly principal: string;
  /** `headless` where nobody can be asked. */
  readonly mode: "interactive" | "headless";
  readonly reads: RunReads;
  /** `direct` when a person typed the call. */
  readonly origin: "model" | "direct";
}

/** What a policy that is only tried out would have decided, where that differs. */
export interface ShadowVerdict {
  readonly decision: PolicyDecision;
  readonly by: DecisionSource;
  readonly reason: string;
}

/** How one rule whose names fit a tool reads one call of it. */
export interface RuleReading {
  readonly tier: "administrator" | "user" | "project";
  /** As it was written. */
  readonly rule: string;
  readonly effect: "allow" | "ask" | "hide" | "deny";
  readonly matches: boolean;
  /** The first condition that the call does not meet; absent where it meets all. */
  readonly failed?: string;
  /** Whether the decision, or a step on the way to it, is this rule's. */
  readonly decides: boolean;
}

/** A step on the way to a decision; `stage` says what gave it. `drift`: the tool changed, and nobody has accepted that. */
export interface PolicyStep {
  readonly stage:
    | "builtin"
    | "administrator"
    | "user"
    | "default"
    | "hints"
    | "flow"
    | "project"
    | "direct"
    | "drift";
  readonly effect: "allow" | "ask" | "hide" | "deny";
  readonly by: DecisionSource;
  readonly reason: string;
}

/** Why the policy decides a call as it does, before anybody is asked and before grants are looked at. */
export interface PolicyExplanation {
  readonly decision: PolicyDecision;
  readonly by: DecisionSource;
  readonly reason: string;
  /** The first is the base; each later one changed it; the last one holds. */
  readonly steps: readonly PolicyStep[];
  /** The rules whose names fit, tier by tier; those of the user are not looked at where one of the administrator matches. */
  readonly rules: readonly RuleReading[];
  readonly warnings: readonly string[];
  /** Whether a person's grant may answer for later calls of the tool. */
  readonly grantable: boolean;
  /** Whether the tool is kept from the model. */
  readonly hidden: boolean;
  /** The arguments of the call as they may be shown: known secrets are replaced, as in all texts of an explanation. */
  readonly arguments: JsonObject;
  /** A rule of the user's that would allow the call; absent where it would not be asked about, and where no single one would. */
  readonly suggestedRule?: string;
  /** What the rules that are tried out say, where that differs; they decide nothing. */
  readonly shadow?: ShadowVerdict;
}

/** Rules of all tiers, as `PolicyConfig` has them. */
export interface PolicyRules {
  readonly rules?: readonly string[];
  readonly administratorRules?: readonly string[];
  readonly projectRules?: readonly string[];
}

export interface PolicyCheckSettings {
  /** What is known of a past call's tool beside the log; null for one that is not known. Default: nothing is known. */
  readonly toolOf?: (call: {
    readonly server: string;
    readonly tool: string;
    readonly configHash?: string;
    readonly definitionHash?: string;
  }) => Pick<CallFacts, "trusted" | "annotations" | "folder"> | null;
  /** Whose calls they are. Default: who the log says started the run. */
  readonly principal?: string;
  /** As `PolicyConfig.flows`. */
  readonly flows?: Flows;
}

/** A past call that the policy would decide otherwise, or may. */
export interface PolicyChange {
  readonly run: string;
  readonly call: string;
  readonly server: string;
  readonly tool: string;
  /** What the policy decided then: `ask` also where a person or a grant answered. */
  readonly before: PolicyDecision;
  /** `undecided` where that depends on what the log does not say. */
  readonly decision: PolicyDecision | "undecided";
  readonly reason: string;
}

export interface PolicyCheck {
  /** Calls that were looked at. */
  readonly calls: number;
  /** Those that would be decided as they were. */
  readonly same: number;
  /** All others, in the order of the log. */
  readonly changes: readonly PolicyChange[];
}
