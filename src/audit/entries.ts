import type { AuditEntry } from "../types/audit.ts";
import type { Json } from "../types/json.ts";
import type {
  AllowDecision,
  ApprovedCall,
  CallOutcome,
  DecisionSource,
  DenyDecision,
  ResolvedCall,
  Verdict,
} from "../types/outcome.ts";
import type { ResultLabels, ShadowVerdict } from "../types/policy.ts";
import type { MappedTurn, Secrets } from "../types/ports.ts";
import type { CatalogTool, ToolCall } from "../types/tool.ts";
import { createKeptText } from "./kept-text.ts";
import { replyBytes } from "./reply-bytes.ts";

/** Where in a conversation a call stands. */
interface CallPlace {
  readonly runId: string;
  readonly turn: number;
}

/** In the place of what a text says of arguments. */
const leftOut = "(left out)";
/** Longer arguments are named by their hash alone. */
const maxArguments = 16 * 1024 * 1024;

/** Makes audit entries from what happened: secrets replaced, long texts bounded. */
export interface EntryWriter {
  intended(approved: ApprovedCall, attempt: number, place: CallPlace): AuditEntry;
  settled(approved: ApprovedCall, outcome: CallOutcome, attempt: number, place: CallPlace): AuditEntry;
  denied(verdict: Extract<Verdict, { type: "denied" }>, place: CallPlace): AuditEntry;
  rejected(call: Extract<ResolvedCall, { type: "rejected" }>, place: CallPlace): AuditEntry;
  returned(mapped: MappedTurn, place: CallPlace): AuditEntry;
}

/** What the tool of a call was: of which configuration, with which definition. */
function hashesOf({ configHash, definitionHash }: CatalogTool) {
  return { configHash, definitionHash };
}

function identity(call: ToolCall, place: CallPlace) {
  const { method } = call.tool.definition;
  return {
    run: place.runId,
    turn: place.turn,
    call: call.id,
    server: call.tool.route.server,
    tool: call.tool.route.tool,
    alias: call.tool.alias,
    ...(method === undefined ? {} : { method }),
  };
}

export interface EntrySettings {
  readonly secrets: Secrets;
  /** The labels of what a tool gives back. Default: none. */
  readonly labelsOf?: ((tool: CatalogTool) => ResultLabels | null) | undefined;
  /** Makes the hashes that stand beside arguments. */
  readonly keyedHash: (text: string) => string;
  /** Whether arguments are kept with secrets replaced, which is the default, or as their hash alone. */
  readonly arguments?: "redacted" | "hash" | undefined;
}

/** How texts, arguments and sources are shown in an entry. */
interface Redaction {
  short(text: string): string;
  /** Why a call was decided so; where only hashes are kept, without what the reason says of arguments. */
  reason(decision: AllowDecision | DenyDecision): string;
  audited(call: ToolCall): { arguments: Json; argumentsHash: string };
  source(by: DecisionSource): DecisionSource;
  shadow(decision: { readonly shadow?: ShadowVerdict }): { readonly shadow?: ShadowVerdict };
}

function createRedaction(settings: EntrySettings): Redaction {
  const { secrets, keyedHash, arguments: kept = "redacted" } = settings;
  const { short, json } = createKeptText(secrets);
  const source = (by: DecisionSource): DecisionSource =>
    by.type === "rule" ? { ...by, rule: short(by.rule) } : by;

  return {
    short,
    reason(decision) {
      if (kept !== "hash") return short(decision.reason);
      // Conditions of an answer, and the rule that would allow the call, are taken from its arguments.
      const rule = decision.type === "deny" ? decision.rule : undefined;
      if (rule !== undefined) return short(decision.reason.replaceAll(rule, leftOut));
      const isAnswer = decision.by.type === "person" || decision.by.type === "grant";
      return short(
        decision.type === "allow" && isAnswer
          ? decision.reason.replace(/, when [\s\S]*$/, `, when ${leftOut}.`)
          : decision.reason,
      );
    },
    audited({ argumentsJson, arguments: input }) {
      const { length } = argumentsJson;
      return {
        arguments:
          kept === "hash" ? null : length > maxArguments ? `(${length} chars are left out)` : json(input),
        argumentsHash: keyedHash(argumentsJson),
      };
    },
    source,
    shadow({ shadow }) {
      if (shadow === undefined) return {};
      return { shadow: { ...shadow, by: source(shadow.by), reason: short(shadow.reason) } };
    },
  };
}

export function createEntryWriter(settings: EntrySettings): EntryWriter {
  const { keyedHash } = settings;
  const { short, reason, audited, source, shadow } = createRedaction(settings);
  return {
    intended: ({ call, decision }, attempt, place) => ({
      kind: "call_intended",
      ...identity(call, place),
      ...audited(call),
      ...hashesOf(call.tool),
      decision: "allow",
      by: source(decision.by),
      reason: reason(decision),
      waitedMs: decision.waitedMs,
      attempt,
      ...shadow(decision),
    }),
    settled({ call }, outcome, attempt, place) {
      const { ms } = outcome;
      const identified = { ...identity(call, place), ...hashesOf(call.tool) };
      const labels = settings.labelsOf?.(call.tool) ?? null;
      const labelled = labels === null ? {} : { labels };
      const common = { kind: "call_settled" as const, ...identified, attempt, ms, ...labelled };
      if (outcome.type === "failed") {
        return { ...common, outcome: "failed", code: outcome.code, executed: outcome.executed, bytesIn: 0 };
      }
      const { reply } = outcome;
      const kind = reply.isError ? "error_result" : "answered";
      return { ...common, outcome: kind, executed: "yes", bytesIn: replyBytes(reply) };
    },
    denied: ({ call, decision }, place) => ({
      kind: "call_denied",
      ...identity(call, place),
      ...audited(call),
      ...hashesOf(call.tool),
      decision: "deny",
      by: source(decision.by),
      reason: reason(decision),
      unasked: decision.unasked,
      waitedMs: decision.waitedMs,
      ...shadow(decision),
    }),
    rejected: ({ callId, name, rejected, tool, input }, place) => ({
      kind: "call_rejected",
      run: place.runId,
      turn: place.turn,
      call: callId,
      alias: short(name),
      ...(tool === undefined ? {} : { ...tool.route, ...hashesOf(tool) }),
      ...(input === undefined ? {} : { argumentsHash: keyedHash(input) }),
      code: rejected.code,
      // What is wrong with arguments is told with what stands in them.
      reason:
        rejected.code === "call_invalid" && settings.arguments === "hash" ? leftOut : short(rejected.message),
    }),
    returned: ({ results }, place) => ({
      kind: "results_returned",
      run: place.runId,
      turn: place.turn,
      results: results.map(({ block, keptBytes, cutBytes }) => ({
        call: block.callId,
        bytesKept: keptBytes,
        bytesCut: cutBytes,
      })),
    }),
  };
}
