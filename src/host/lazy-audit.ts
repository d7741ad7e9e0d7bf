import type { AuditSink } from "../types/audit.ts";

/** Opens a log with its first entry: a host that runs nothing leaves no file behind. */
export function lazyAudit(open: () => Promise<AuditSink>): AuditSink {
  let opening: Promise<AuditSink> | undefined;
  let opened: AuditSink | undefined;
  return {
    async append(entry) {
      if (opened === undefined) {
        opening ??= open();
        opened = await opening;
      }
      await opened.append(entry);
    },
    async flush() {
      await (await opening)?.flush?.();
    },
    get location() {
      return opened?.location ?? "";
    },
    async close() {
      const sink = await opening;
      await sink?.close?.();
    },
  };
}
