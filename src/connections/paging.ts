import type { Json } from "../types/json.ts";
import type { QuarantinedTool, ServerTool } from "../types/tool.ts";
import { stableJson } from "../util/stable-json.ts";
import { headerProblem } from "./header-declarations.ts";
import { readTtl } from "./ingest-envelope.ts";
import { ingestTool } from "./ingest-tools.ts";
import type { ListSink, PageForSdk } from "./sinks.ts";

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

/** Most pages of one list: a server that never ends its list must not keep the host busy. */
const mostPages = 64;

export interface PagingSink extends ListSink {
  /** Everything read so far. */
  result(): ReadTools;
}

/**
 * Collects the pages of one reading, each tool on its own: the first of two tools with one name is kept. A cursor
 * that was seen before, or too many pages, ends the list.
 * @param schemasForSdk true where the SDK needs the input schemas itself, for `Mcp-Param-*` headers.
 */
export function createPagingSink(server: string, schemasForSdk: boolean): PagingSink {
  const tools = new Map<string, ServerTool>();
  const quarantined: QuarantinedTool[] = [];
  const cursors = new Set<string>();
  let position = 0;
  let pages = 0;
  let ttlMs = 0;
  let isPublic = true;
  let isModern = true;

  function add(raw: unknown): void {
    const ingested = ingestTool(raw, position++);
    if (ingested.type === "quarantined") {
      quarantined.push({ server, tool: ingested.name, reason: ingested.reason });
      return;
    }
    const { tool } = ingested;
    const problem = schemasForSdk ? headerProblem(tool.inputSchema) : null;
    if (problem !== null) {
      quarantined.push({ server, tool: tool.name, reason: problem });
      return;
    }
    const first = tools.get(tool.name);
    if (first === undefined) tools.set(tool.name, tool);
    else if (!isSameTool(first, tool)) {
      quarantined.push({ server, tool: tool.name, reason: "The server lists another tool of this name." });
    }
  }

  function follow(nextCursor: unknown): string | undefined {
    if (typeof nextCursor !== "string" || nextCursor === "") return undefined;
    if (cursors.has(nextCursor) || pages >= mostPages) return undefined;
    cursors.add(nextCursor);
    return nextCursor;
  }

  return {
    kind: "list",
    page(result): PageForSdk {
      pages += 1;
      isPublic &&= result.cacheScope === "public";
      isModern &&= typeof result.resultType === "string";
      const before = tools.size;
      for (const raw of Array.isArray(result.tools) ? result.tools : []) add(raw);
      const pageTtl = readTtl(result.ttlMs);
      if (pageTtl > 0) ttlMs = ttlMs === 0 ? pageTtl : Math.min(ttlMs, pageTtl);
      const nextCursor = follow(result.nextCursor);
      const added = schemasForSdk ? [...tools.values()].slice(before) : [];
      return {
        tools: added.map(({ name, inputSchema }) => ({ name, inputSchema })),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    },
    result: () => ({
      tools: [...tools.values()],
      quarantined,
      ttlMs,
      isPublic: isPublic && pages > 0,
      isModern: isModern && pages > 0,
    }),
  };
}

/** Whether two definitions say the same; one that is missing says nothing. */
export function isSameTool(a: ServerTool | undefined, b: ServerTool | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  return stableJson(a as unknown as Json) === stableJson(b as unknown as Json);
}
