/** What an attribute of a span may hold. */
export type SpanValue = string | number | boolean | string[];

export type SpanAttributes = Record<string, SpanValue>;

/** Immutable values that travel with the work, as in `@opentelemetry/api`. */
export interface TraceContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): TraceContext;
  deleteValue(key: symbol): TraceContext;
}

/** The identity of a span, as W3C Trace Context has it: hex digits, and bit 0 of the flags says that it is sampled. */
export interface SpanIdentity {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly traceState?: { serialize(): string } | undefined;
}

/** The part of a span of `@opentelemetry/api` that the host needs. */
export interface TelemetrySpan {
  spanContext(): SpanIdentity;
  isRecording(): boolean;
  setAttributes(attributes: SpanAttributes): unknown;
  addEvent(name: string, attributes?: SpanAttributes): unknown;
  /** `code` 2 is an error. */
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

/** The part of a `Tracer` of `@opentelemetry/api` that the host needs, so that one of any version fits. */
export interface TelemetryTracer {
  /** `kind`: 0 internal, 1 server, 2 client. The parent is the span that the context holds. */
  startSpan(
    name: string,
    options?: { kind?: number; attributes?: SpanAttributes },
    context?: TraceContext,
  ): TelemetrySpan;
}

/** Where spans go, and what they hold. */
export interface TelemetryOptions {
  /** Makes the spans. Default: a tracer of the provider that is registered with `@opentelemetry/api`. */
  readonly tracer?: TelemetryTracer;
  /**
   * `environment`: spans are sent over OTLP/HTTP as JSON, without any other package, to where
   * `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` says; without one of them none are made.
   */
  readonly exporter?: "environment";
  /** True: questions, answers, arguments, results and the words of errors too. Default: false. */
  readonly content?: boolean;
  /** Is told, once each, why spans are not made or not sent. Default: a run tells it as a `warning`. */
  readonly onProblem?: (sentence: string) => void;
}

/** How a span of a call goes on at its server. */
export interface CallTrace {
  /** For the `_meta` of the request: `traceparent`, and `tracestate` where there is one (MCP SEP-414, W3C Trace Context). */
  readonly meta: Readonly<Record<string, string>>;
  /** Is told what the call goes over, before it goes. Never throws. */
  over(connection: { readonly protocolVersion: string; readonly sessionId?: string | undefined }): void;
}
