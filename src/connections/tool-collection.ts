import type { Json } from "../types/json.ts";
import type { QuarantinedTool, ServerTool } from "../types/tool.ts";
import { stableJson } from "../util/stable-json.ts";
import { headerProblem } from "./header-declarations.ts";
import { ingestTool } from "./ingest-tools.ts";

/** What the host keeps of one list, however much a server sends: tools, bytes of their definitions, reasons. */
export interface ListBounds {
  readonly tools: number;
  readonly bytes: number;
  readonly reasons: number;
}

const usualBounds: ListBounds = { tools: 10_000, bytes: 32 * 1024 * 1024, reasons: 1_000 };

/** The tools of one reading of a list, each on its own. */
export interface ToolCollection {
  /** Reads one member of the list: the tool, where it is a new one that can be used. */
  add(raw: unknown): ServerTool | null;
  /** No more of the list is kept. */
  isFull(): boolean;
  result(): { readonly tools: readonly ServerTool[]; readonly quarantined: readonly QuarantinedTool[] };
}

/**
 * The first of two tools with one name is kept. What is over the bounds is only counted.
 * @param needsHeaders true where `Mcp-Param-*` headers are made from the input schemas.
 */
export function createToolCollection(
  server: string,
  needsHeaders: boolean,
  bounds: ListBounds = usualBounds,
): ToolCollection {
  const tools = new Map<string, ServerTool>();
  const quarantined: QuarantinedTool[] = [];
  let [position, bytes, leftOut, reasonsLeftOut] = [0, 0, 0, 0];
  let full: string | null = null;

  function keepBack(tool: string, reason: string): null {
    if (quarantined.length < bounds.reasons) quarantined.push({ server, tool, reason });
    else reasonsLeftOut += 1;
    return null;
  }

  function keep(tool: ServerTool, size: number): ServerTool | null {
    if (tools.size >= bounds.tools) full = `${bounds.tools} tools`;
    else if (bytes + size > bounds.bytes) full = `${bounds.bytes} bytes of definitions`;
    if (full !== null) {
      leftOut += 1;
      return null;
    }
    bytes += size;
    tools.set(tool.name, tool);
    return tool;
  }

  return {
    add(raw) {
      if (full !== null) {
        leftOut += 1;
        return null;
      }
      const ingested = ingestTool(raw, position++);
      if (ingested.type === "quarantined") return keepBack(ingested.name, ingested.reason);
      const { tool, size } = ingested;
      const problem = needsHeaders ? headerProblem(tool.inputSchema) : null;
      if (problem !== null) return keepBack(tool.name, problem);
      const first = tools.get(tool.name);
      if (first === undefined) return keep(tool, size);
      return isSameTool(first, tool)
        ? null
        : keepBack(tool.name, "The server lists another tool of this name.");
    },
    isFull: () => full !== null,
    result() {
      const more = (number: number, what: string, reason: string): QuarantinedTool[] =>
        number === 0 ? [] : [{ server, tool: `(${number} more ${what})`, reason }];
      return {
        tools: [...tools.values()],
        quarantined: [
          ...quarantined,
          ...more(reasonsLeftOut, "kept back", `Reasons are told for ${bounds.reasons} tools.`),
          ...more(leftOut, "tools", `The list is too long: at most ${full} of a server are kept.`),
        ],
      };
    },
  };
}

/** Whether two definitions say the same; one that is missing says nothing. */
export function isSameTool(a: ServerTool | undefined, b: ServerTool | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  return stableJson(a as unknown as Json) === stableJson(b as unknown as Json);
}
