import type { QuarantinedTool, ServerTool } from "../types/tool.ts";
import { createCursors, restOfList } from "./cursors.ts";
import { readTtl } from "./ingest-envelope.ts";
import type { ListSink, PageForSdk } from "./sinks.ts";
import { createToolCollection, type ListBounds } from "./tool-collection.ts";

/** What one reading of `tools/list` gave. */
export interface ReadTools {
  readonly tools: readonly ServerTool[];
  readonly quarantined: readonly QuarantinedTool[];
  /** Milliseconds the list may be used without asking again; 0 when the server named none. */
  readonly ttlMs: number;
  /** The server says of every page that it is the same for everybody (MCP 2026-07-28, `cacheScope`). */
  readonly isPublic: boolean;
  /** Every page had the envelope of a modern revision. */
  readonly isModern: boolean;
}

export interface PagingSink extends ListSink {
  /** Everything read so far. */
  result(): ReadTools;
}

/**
 * Collects the pages of one reading, each tool on its own: the first of two tools with one name is kept. More than the
 * bounds allow ends the list, and what else is left unread is told beside the tools that cannot be used.
 * @param schemasForSdk true where the SDK needs the input schemas itself, for `Mcp-Param-*` headers.
 */
export function createPagingSink(server: string, schemasForSdk: boolean, bounds?: ListBounds): PagingSink {
  const collected = createToolCollection(server, schemasForSdk, bounds);
  const cursors = createCursors();
  let ttlMs = 0;
  let isPublic = true;
  let isModern = true;

  return {
    kind: "list",
    page(result): PageForSdk {
      isPublic &&= result.cacheScope === "public";
      isModern &&= typeof result.resultType === "string";
      const added: ServerTool[] = [];
      for (const raw of Array.isArray(result.tools) ? result.tools : []) {
        const tool = collected.add(raw);
        if (tool !== null && schemasForSdk) added.push(tool);
      }
      const pageTtl = readTtl(result.ttlMs);
      if (pageTtl > 0) ttlMs = ttlMs === 0 ? pageTtl : Math.min(ttlMs, pageTtl);
      const next = cursors.next(result.nextCursor);
      const nextCursor = collected.isFull() ? null : next;
      return {
        tools: added.map(({ name, inputSchema }) => ({ name, inputSchema })),
        ...(nextCursor === null ? {} : { nextCursor }),
      };
    },
    result() {
      const { tools, quarantined } = collected.result();
      const cut = cursors.cut();
      return {
        tools,
        quarantined: cut === null ? quarantined : [...quarantined, { server, tool: restOfList, reason: cut }],
        ttlMs,
        isPublic: isPublic && cursors.pages() > 0,
        isModern: isModern && cursors.pages() > 0,
      };
    },
  };
}
