import type { Consent } from "../types/consent.ts";
import type { CallOutcome, DecisionSource, Verdict } from "../types/outcome.ts";
import type { Executor } from "../types/ports.ts";
import type { CallTrace, SpanAttributes, TraceContext } from "../types/telemetry.ts";
import { builtinServer, type ToolCall } from "../types/tool.ts";
import { named } from "./attributes.ts";
import { argumentsText, resultText } from "./content.ts";
import { type OpenSpan, type SpanError, startSpan, type Tracing } from "./span.ts";

/** The parts of a run that decide about calls and run them. */
export interface CallPorts {
  readonly consent: Consent;
  readonly executor: Executor;
}

export interface CallSpanSettings {
  readonly tracing: Tracing;
  /** What the spans of the calls of this moment belong to. */
  readonly parent: () => TraceContext;
  /** What is known of the way to a server: its transport and address. */
  readonly endpointOf: (server: string) => SpanAttributes;
  /** The spans of the calls that run, by call id. */
  readonly open: Map<string, OpenSpan>;
}

/**
 * The same parts with a span for each decision, and one for each call that was allowed: GenAI's `execute_tool`, with
 * MCP's attributes on it instead of a second span (MCP conventions, client spans). What they do, and when, is unchanged.
 */
export function withCallSpans<P extends CallPorts>(ports: P, settings: CallSpanSettings): P {
  const { consent, executor } = ports;
  return {
    ...ports,
    consent: {
      decide(calls, context) {
        const spans = calls.map((call) => startDecision(call, settings));
        const verdicts = consent.decide(calls, context);
        for (const [index, verdict] of verdicts.entries()) {
          void verdict.then((decided) => endDecision(spans[index], decided, settings.tracing));
        }
        return verdicts;
      },
      recheck: (approved, current) => consent.recheck(approved, current),
    },
    executor: {
      execute(approved, context) {
        const { call } = approved;
        const span = startCall(call, settings);
        settings.open.set(call.id, span);
        const running = executor.execute(approved, { ...context, trace: traceOf(span, settings.tracing) });
        void running.then((outcome) => {
          settings.open.delete(call.id);
          endCall(span, outcome, settings.tracing);
        });
        return running;
      },
    },
  };
}

function callAttributes({ id, tool }: ToolCall, { texts }: Tracing): SpanAttributes {
  return {
    "gen_ai.tool.name": texts.name(tool.route.tool),
    "gen_ai.tool.call.id": texts.name(id),
    "drawbridge.server.id": texts.name(tool.route.server),
  };
}

function startDecision(call: ToolCall, { tracing, parent }: CallSpanSettings): OpenSpan {
  const name = `decide ${call.tool.route.tool}`;
  return startSpan(tracing, name, "internal", callAttributes(call, tracing), parent());
}

function endDecision(span: OpenSpan | undefined, verdict: Verdict, { texts, content }: Tracing): void {
  const decision = verdict.type === "approved" ? verdict.approved.decision : verdict.decision;
  span?.set({
    "drawbridge.decision": decision.type,
    "drawbridge.decision.by": decision.by.type,
    "drawbridge.decision.waited_ms": decision.waitedMs,
    ...(decision.type === "deny" ? { "drawbridge.decision.unasked": decision.unasked } : {}),
    ...(content ? { "drawbridge.decision.reason": texts.content(decision.reason) } : {}),
    ...ruleAttributes(decision.by, texts.name),
  });
  span?.end();
}

function ruleAttributes(by: DecisionSource, name: (text: string) => string): SpanAttributes {
  if (by.type !== "rule") return {};
  return { "drawbridge.decision.tier": by.tier, "drawbridge.decision.rule": name(by.rule) };
}

function startCall(call: ToolCall, { tracing, parent, endpointOf }: CallSpanSettings): OpenSpan {
  const { tool } = call;
  const { server } = tool.route;
  const { texts, content } = tracing;
  const attributes: SpanAttributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.type": "function",
    ...callAttributes(call, tracing),
    "drawbridge.tool.alias": texts.name(tool.alias),
    ...(server === builtinServer ? {} : named(endpointOf(server), texts)),
    ...(content
      ? { "gen_ai.tool.call.arguments": texts.content(argumentsText(call.arguments, texts.redact)) }
      : {}),
  };
  return startSpan(tracing, `execute_tool ${tool.route.tool}`, "internal", attributes, parent());
}

function traceOf(span: OpenSpan, { texts }: Tracing): CallTrace {
  return {
    meta: span.carrier(),
    over({ protocolVersion, sessionId }) {
      span.set({
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": texts.name(protocolVersion),
        ...(sessionId === undefined ? {} : { "mcp.session.id": texts.name(sessionId) }),
      });
    },
  };
}

function endCall(span: OpenSpan, outcome: CallOutcome, { texts, content }: Tracing): void {
  span.set({ "drawbridge.call.attempts": outcome.attempts });
  if (outcome.type === "answered") {
    if (content)
      span.set({ "gen_ai.tool.call.result": texts.content(resultText(outcome.reply, texts.redact)) });
  } else span.set({ "drawbridge.call.executed": outcome.executed });
  span.end(errorOf(outcome));
}

/** A result that says `isError` is `tool_error` (MCP conventions, `error.type`); what has no result has its code. */
function errorOf(outcome: CallOutcome): SpanError | undefined {
  if (outcome.type === "failed") return { type: outcome.code, message: outcome.message };
  return outcome.reply.isError ? { type: "tool_error" } : undefined;
}
