import type { RunEvent } from "../types/events.ts";
import type { SpanAttributes, TraceContext } from "../types/telemetry.ts";
import { usageAttributes } from "./attributes.ts";
import { type OpenSpan, startSpan, type Tracing } from "./span.ts";

/** Spans of what servers ask in the middle of a call. */
export interface InputSpans {
  /** Takes the next event; most are none of its. */
  take(event: RunEvent): void;
  /** Ends what nobody answered. */
  end(): void;
}

/** Requests of a server: MCP conventions, server spans, as here the host is the one that serves. */
export function createInputSpans(
  tracing: Tracing,
  parentOf: (callIds: readonly string[]) => TraceContext,
): InputSpans {
  const open = new Map<string, OpenSpan>();
  const start = (id: string, method: string, event: Asking, more: SpanAttributes): void => {
    const { server, callIds } = event;
    const attributes = {
      "mcp.method.name": method,
      "drawbridge.server.id": tracing.texts.name(server),
      ...more,
    };
    open.set(id, startSpan(tracing, method, "server", attributes, parentOf(callIds)));
  };
  const finish = (id: string, attributes: SpanAttributes, error?: string): void => {
    const span = open.get(id);
    open.delete(id);
    span?.set(attributes);
    span?.end(error === undefined ? undefined : { type: error });
  };
  return {
    take(event) {
      if (event.type === "sampling_requested") {
        const { maxTokens } = event;
        start(event.samplingId, "sampling/createMessage", event, { "gen_ai.request.max_tokens": maxTokens });
      }
      if (event.type === "sampling_answered") {
        const { samplingId, outcome, usage } = event;
        const used = usage === undefined ? {} : usageAttributes(usage);
        const error = outcome === "answered" ? undefined : outcome;
        finish(samplingId, { "drawbridge.sampling.outcome": outcome, ...used }, error);
      }
      if (event.type === "elicitation_requested") {
        const mode = { "drawbridge.elicitation.mode": event.mode };
        start(event.elicitationId, "elicitation/create", event, mode);
      }
      if (event.type === "elicitation_answered") {
        const { elicitationId, action, waitedMs } = event;
        finish(elicitationId, {
          "drawbridge.elicitation.action": action,
          "drawbridge.elicitation.waited_ms": waitedMs,
        });
      }
    },
    end() {
      for (const span of open.values()) span.end({ type: "aborted" });
      open.clear();
    },
  };
}

interface Asking {
  readonly server: string;
  readonly callIds: readonly string[];
}
