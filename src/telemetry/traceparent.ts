import type { SpanIdentity } from "../types/telemetry.ts";
import { isHex, mostOfState } from "./span.ts";

/** The span that `traceparent` names (W3C Trace Context, level 1), or null. */
export function readTraceparent(carrier: {
  readonly traceparent: string;
  readonly tracestate?: string;
}): SpanIdentity | null {
  const [version = "", traceId = "", spanId = "", flags = "", ...more] = carrier.traceparent
    .trim()
    .split("-");
  const isKnown = /^[\da-f]{2}$/.test(version) && version !== "ff" && /^[\da-f]{2}$/.test(flags);
  // Later versions may say more behind it; this one does not.
  if (version === "00" && more.length > 0) return null;
  if (!isKnown || !isHex(traceId, 32) || !isHex(spanId, 16)) return null;
  const state = carrier.tracestate ?? "";
  const traceState =
    state === "" || state.length > mostOfState ? {} : { traceState: { serialize: () => state } };
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), ...traceState };
}
