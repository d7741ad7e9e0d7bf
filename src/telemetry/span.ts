import type { SpanAttributes, TelemetrySpan, TelemetryTracer, TraceContext } from "../types/telemetry.ts";
import type { SpanTexts } from "./attributes.ts";

/** What makes the spans of a host. */
export interface Tracing {
  readonly tracer: TelemetryTracer;
  readonly texts: SpanTexts;
  /** Whether spans hold words of the conversation. */
  readonly content: boolean;
  /** Where the program is at this moment: its own span becomes the parent. */
  active(): TraceContext;
  /** Is told that the tracer threw. */
  failed(thrown: unknown): void;
}

/** A span under way. Nothing of it throws, whatever the tracer does. */
export interface OpenSpan {
  /** For its children. */
  readonly context: TraceContext;
  set(attributes: SpanAttributes): void;
  event(name: string, attributes?: SpanAttributes): void;
  /** Ends it once; with an error its status says so. */
  end(error?: SpanError): void;
  /** `traceparent` and `tracestate` for whoever continues it; empty where there is no trace. */
  carrier(): Readonly<Record<string, string>>;
}

export interface SpanError {
  /** Low in variety: a code (`error.type`). */
  readonly type: string;
  /** Is told only where content is. */
  readonly message?: string;
}

/** Values of `SpanKind` in `@opentelemetry/api`. */
export const spanKinds = { internal: 0, server: 1, client: 2 } as const;

const errorStatus = 2;

/** Under this key every version of `@opentelemetry/api` keeps the span of a context: it asks `Symbol.for` for it. */
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

export function startSpan(
  tracing: Tracing,
  name: string,
  kind: keyof typeof spanKinds,
  attributes: SpanAttributes,
  parent: TraceContext,
): OpenSpan {
  const { tracer, texts } = tracing;
  const guarded = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (thrown) {
      tracing.failed(thrown);
      return otherwise;
    }
  };
  const options = { kind: spanKinds[kind], attributes };
  const span = guarded(() => tracer.startSpan(texts.name(name), options, parent), null);
  const context = guarded(() => (span === null ? parent : withSpan(parent, span)), parent);
  let ended = false;
  const onSpan = (work: (span: TelemetrySpan) => unknown): void => {
    if (span !== null && !ended) guarded(() => void work(span), undefined);
  };
  return {
    context,
    set: (more) => onSpan((open) => open.setAttributes(more)),
    event: (label, more = {}) => onSpan((open) => open.addEvent(label, more)),
    end(error) {
      onSpan((open) => {
        if (error !== undefined) {
          open.setAttributes({ "error.type": error.type });
          const shown = tracing.content && error.message !== undefined;
          const message = shown ? { message: texts.content(error.message ?? "") } : {};
          open.setStatus({ code: errorStatus, ...message });
        }
      });
      onSpan((open) => open.end());
      ended = true;
    },
    carrier: () => guarded(() => (span === null ? {} : carrierOf(span)), {}),
  };
}

export function withSpan(context: TraceContext, span: Pick<TelemetrySpan, "spanContext">): TraceContext {
  return context.setValue(spanKey, span);
}

/** The span that a context holds, or null. */
export function spanOf(context: TraceContext): TelemetrySpan | null {
  return (context.getValue(spanKey) as TelemetrySpan | undefined) ?? null;
}

/** Longest `tracestate` that is passed on (W3C Trace Context, limits of tracestate). */
export const mostOfState = 512;

/** The headers of W3C Trace Context, level 1; baggage stays here. */
function carrierOf(span: TelemetrySpan): Readonly<Record<string, string>> {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  if (!isHex(traceId, 32) || !isHex(spanId, 16)) return {};
  const traceparent = `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, "0")}`;
  const tracestate = traceState?.serialize() ?? "";
  const passed = tracestate !== "" && tracestate.length <= mostOfState;
  return passed ? { traceparent, tracestate } : { traceparent };
}

/** Digits of that number that are not all zero, which would be no trace. */
export function isHex(text: string, digits: number): boolean {
  return text.length === digits && /^[\da-f]+$/.test(text) && !/^0+$/.test(text);
}
