import type { Clock } from "../../types/ports.ts";
import type { SpanIdentity, TelemetryTracer, TraceContext } from "../../types/telemetry.ts";
import { randomHex } from "../../util/random-id.ts";
import { spanOf } from "../span.ts";
import type { EndedSpan } from "./encode.ts";

/** Most events of one span. */
const mostEvents = 128;
const mostDriftMs = 1_000;

/** A tracer that hands over each sampled span once it has ended. What its parent says of sampling holds for a span too. */
export function createTracer(clock: Clock, ended: (span: EndedSpan) => void): TelemetryTracer {
  let origin = clock.wall() - clock.now();
  // The clock that only grows has the finer steps, but it stands still while a machine sleeps.
  const now = () => {
    if (Math.abs(clock.wall() - clock.now() - origin) > mostDriftMs) origin = clock.wall() - clock.now();
    return origin + clock.now();
  };
  return {
    startSpan(name, { kind = 0, attributes = {} } = {}, context = undefined) {
      const parent = parentOf(context);
      const identity = identityBelow(parent);
      const sampled = (identity.traceFlags & 1) === 1;
      const startedAt = now();
      const held = { ...attributes };
      const events: { name: string; at: number; attributes: typeof attributes }[] = [];
      let status: EndedSpan["status"] = { code: 0 };
      let open = true;
      return {
        spanContext: () => identity,
        isRecording: () => open && sampled,
        setAttributes: (more) => void Object.assign(held, more),
        addEvent(label, more = {}) {
          if (events.length < mostEvents) events.push({ name: label, at: now(), attributes: more });
        },
        setStatus(next) {
          status = next;
        },
        end() {
          if (!open) return;
          open = false;
          if (!sampled) return;
          const { traceId, spanId, traceState } = identity;
          ended({
            ...{ traceId, spanId, name, kind, startedAt, endedAt: now(), attributes: held, events, status },
            ...(parent === null ? {} : { parentSpanId: parent.spanId }),
            ...(traceState === undefined ? {} : { traceState: traceState.serialize() }),
          });
        },
      };
    },
  };
}

function parentOf(context: TraceContext | undefined): SpanIdentity | null {
  return (context === undefined ? null : spanOf(context))?.spanContext() ?? null;
}

function identityBelow(parent: SpanIdentity | null): SpanIdentity {
  const spanId = randomHex(8);
  if (parent === null) return { traceId: randomHex(16), spanId, traceFlags: 1 };
  const { traceId, traceFlags, traceState } = parent;
  return { traceId, spanId, traceFlags, ...(traceState === undefined ? {} : { traceState }) };
}
