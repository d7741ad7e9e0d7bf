import type { AuditSink } from "../types/audit.ts";

/** A program's log as the host calls it: what it throws at once, or returns without a promise, is an end like others. */
export function promisingSink(sink: AuditSink): AuditSink {
  return {
    async append(entry) {
      await sink.append(entry);
    },
    async flush() {
      await sink.flush?.();
    },
    get location() {
      return sink.location ?? "";
    },
    async close() {
      await sink.close?.();
    },
  };
}
