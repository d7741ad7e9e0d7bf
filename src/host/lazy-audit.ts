import type { AuditSink } from "../types/audit.ts";

/** Opens a log with its first entry: a host that runs nothing leaves no file behind. */
export function lazyAudit(open: () => Promise<AuditSink>): AuditSink {
  let opening: Promise<AuditSink> | undefined;
  let opened: AuditSink | undefined;

  async function flushOpening(): Promise<void> {
    await (await opening)?.flush?.();
  }

  return {
    append(entry) {
      if (opened !== undefined) return opened.append(entry);
      opening ??= open().then((sink) => {
        opened = sink;
        return sink;
      });
      return opening.then((sink) => sink.append(entry));
    },
    flush() {
      return opened?.flush?.() ?? flushOpening();
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
