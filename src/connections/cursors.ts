/** What is told of the part of a list that is not read, in the place of a name. */
export const restOfList = "(the rest of the list)";

/** Most pages of one list: a server that never ends its list must not keep the host busy. */
const mostPages = 64;

/** The way through the pages of one list, page by page. */
export interface Cursors {
  /** Counts a page that was read; the cursor of the next one, or null where the list ends or is read no further. */
  next(nextCursor: unknown): string | null;
  /** Pages that were counted. */
  pages(): number;
  /** Why the list is read no further although the server names another page, or null. */
  cut(): string | null;
}

/** A cursor that was seen before, and too many pages, end a list. */
export function createCursors(): Cursors {
  const seen = new Set<string>();
  let pages = 0;
  let cut: string | null = null;

  return {
    next(nextCursor) {
      pages += 1;
      if (typeof nextCursor !== "string" || nextCursor === "") return null;
      if (seen.has(nextCursor)) cut = "The server goes round in a circle.";
      else if (pages >= mostPages) cut = `At most ${mostPages} pages are read.`;
      if (cut !== null) return null;
      seen.add(nextCursor);
      return nextCursor;
    },
    pages: () => pages,
    cut: () => cut,
  };
}
