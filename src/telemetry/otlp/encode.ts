import type { SpanAttributes, SpanValue } from "../../types/telemetry.ts";

/** A span that has ended. Times are milliseconds since the epoch, with fractions. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  /** As in `@opentelemetry/api`. */
  readonly kind: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  readonly events: readonly {
    readonly name: string;
    readonly at: number;
    readonly attributes: SpanAttributes;
  }[];
  readonly status: { readonly code: number; readonly message?: string };
}

/** The part of a request that is the same for all spans of a process. */
export interface SpanSource {
  readonly resource: Readonly<Record<string, string>>;
  readonly scope: { readonly name: string; readonly version: string };
}

/**
 * The body of an OTLP/HTTP export as JSON (OTLP 1.x, JSON Protobuf encoding): ids as hex, 64-bit numbers as text, enums
 * as numbers.
 */
export function encodeSpans(spans: readonly EndedSpan[], { resource, scope }: SpanSource): string {
  const scopeSpans = [{ scope, spans: spans.map(encodeSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: keyValues(resource) }, scopeSpans }] });
}

function encodeSpan(span: EndedSpan): object {
  const { startedAt, endedAt, attributes, events, kind, traceId, spanId, name, status } = span;
  return {
    ...{ traceId, spanId, name, status },
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    ...(span.traceState === undefined ? {} : { traceState: span.traceState }),
    // OTLP counts kinds from 1, as 0 says nothing there.
    kind: kind + 1,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: keyValues(attributes),
    events: events.map((event) => ({
      name: event.name,
      timeUnixNano: nanoseconds(event.at),
      attributes: keyValues(event.attributes),
    })),
  };
}

/** Microseconds are what a number of this size still holds. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}

function keyValues(attributes: Readonly<Record<string, SpanValue>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: SpanValue): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
