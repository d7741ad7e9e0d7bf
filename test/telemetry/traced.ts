import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { TelemetryTracer } from "../../src/types/telemetry.ts";

/** A tracer of the real SDK, and what came out of it. */
export interface Recorded {
  readonly tracer: TelemetryTracer;
  readonly provider: BasicTracerProvider;
  /** The spans that have ended, in the order in which they started. */
  spans(): readonly ReadableSpan[];
  /** The one span of that name. */
  span(name: string): ReadableSpan;
  /** A line a span, indented below its parent; behind it its error and its events. */
  tree(): string[];
  /** Everything that an exporter gets of the spans, as one text. */
  text(): string;
}

export function recorded(): Recorded {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  // Ids are random and times too coarse to sort by: the order of the starts is kept here.
  const started: string[] = [];
  const inner = provider.getTracer("test");
  const tracer: TelemetryTracer = {
    startSpan(name, options, context) {
      const span = inner.startSpan(name, options, context as Parameters<typeof inner.startSpan>[2]);
      started.push(span.spanContext().spanId);
      return span;
    },
  };
  const order = (span: ReadableSpan) => started.indexOf(span.spanContext().spanId);
  const spans = () => exporter.getFinishedSpans().toSorted((a, b) => order(a) - order(b));
  return {
    tracer,
    provider,
    spans,
    span(name) {
      const found = spans().filter((span) => span.name === name);
      const [only] = found;
      if (only === undefined || found.length > 1)
        throw new Error(`${found.length} spans are called "${name}".`);
      return only;
    },
    tree: () => treeOf(spans()),
    text: () =>
      JSON.stringify(
        spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
      ),
  };
}

function treeOf(spans: readonly ReadableSpan[]): string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const lines: string[] = [];
  const add = (span: ReadableSpan, depth: number): void => {
    const error = span.attributes["error.type"];
    const events = span.events.map(({ name }) => ` +${name.replace("drawbridge.", "")}`).join("");
    lines.push(`${"  ".repeat(depth)}${span.name}${error === undefined ? "" : ` !${error}`}${events}`);
    for (const child of spans) {
      if (child.parentSpanContext?.spanId === span.spanContext().spanId) add(child, depth + 1);
    }
  };
  for (const span of spans) if (!ids.has(span.parentSpanContext?.spanId ?? "")) add(span, 0);
  return lines;
}
