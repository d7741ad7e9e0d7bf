import type { Journal, JournalRecord } from "../types/journal.ts";

/** Records that hold nothing that was said or done. */
const withoutWords: ReadonlySet<JournalRecord["kind"]> = new Set([
  "run_started",
  "run_ended",
  "content_read",
]);

/**
 * A journal that is opened with the first record that holds something: a conversation whose run never began, because a
 * server was down say, leaves none. What `open` rejects with, the append does.
 */
export function begunJournal(id: string, open: () => Promise<Journal>): Journal {
  const held: JournalRecord[] = [];
  let opening: Promise<Journal> | null = null;
  let opened: Journal | null = null;

  async function begin(): Promise<Journal> {
    opened = await open();
    for (const record of held) await opened.append(record);
    return opened;
  }

  return {
    id,
    get end() {
      return opened?.end;
    },
    async append(record) {
      if (opening === null && withoutWords.has(record.kind)) {
        held.push(record);
        return;
      }
      opening ??= begin();
      await (await opening).append(record);
    },
    flush: async () => opened?.flush?.(),
    close: async () => opened?.close(),
  };
}
