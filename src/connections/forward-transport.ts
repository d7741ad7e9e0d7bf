import type { Transport } from "@modelcontextprotocol/client";

/** A transport that passes everything on to another in both directions, but for what its maker does itself. */
export function forwardTransport(inner: Transport, own: Pick<Transport, "start" | "send">): Transport {
  const outer: Transport = {
    ...own,
    close: () => inner.close(),
    get sessionId() {
      return inner.sessionId;
    },
    get hasPerRequestStream() {
      return inner.hasPerRequestStream === true;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  inner.onmessage = (message, extra) => outer.onmessage?.(message, extra);
  inner.onerror = (error) => outer.onerror?.(error);
  inner.onclose = () => outer.onclose?.();
  return outer;
}
