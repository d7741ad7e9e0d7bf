import { type CallPorts, withCallSpans } from "../telemetry/call-spans.ts";
import { createRunSpans } from "../telemetry/run-spans.ts";
import type { OpenSpan } from "../telemetry/span.ts";
import type { Emit } from "../types/events.ts";
import type { RunInput } from "../types/host.ts";
import type { Telemetry } from "./telemetry.ts";

/** The tracing of one run. */
export interface RunTrace {
  /** Passes events on, and makes spans of them. */
  hear(emit: Emit): Emit;
  /** The same parts of the run with spans around decisions and calls. */
  ports<P extends CallPorts>(ports: P): P;
}

interface TracedRun {
  readonly conversationId: string;
  readonly input: RunInput;
}

/** Null where no spans are made. Called where the program's own span is active. Never rejects. */
export async function traceRun(telemetry: Telemetry, run: TracedRun): Promise<RunTrace | null> {
  const tracing = await telemetry.open();
  if (tracing === null) return null;
  const calls = new Map<string, OpenSpan>();
  const spans = createRunSpans({ ...run, tracing, calls });
  return {
    hear: (emit) => (event) => {
      emit(event);
      try {
        spans.take(event);
      } catch (thrown) {
        tracing.failed(thrown);
      }
    },
    ports: (ports) => withCallSpans(ports, { ...telemetry, tracing, parent: spans.parent, open: calls }),
  };
}

/** The parts of a call that a person made, with spans that belong to whatever the program is doing. Never rejects. */
export async function traceDirectCall<P extends CallPorts>(
  ports: P,
  telemetry: Telemetry | null,
): Promise<P> {
  const tracing = (await telemetry?.open()) ?? null;
  if (telemetry === null || tracing === null) return ports;
  const outside = tracing.active();
  return withCallSpans(ports, { ...telemetry, tracing, parent: () => outside, open: new Map() });
}
