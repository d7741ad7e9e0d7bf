import type { Limits } from "../types/config.ts";
import type { JsonObject } from "../types/json.ts";
import type { CallReply } from "../types/outcome.ts";
import type { CallServer } from "../types/ports.ts";
import type { SpillStore } from "../types/stores.ts";
import { builtinServer } from "../types/tool.ts";
import { count, oneLine } from "../util/one-line.ts";
import { own } from "../util/own.ts";
import { utf8Length } from "../util/utf8.ts";
import { type Line, linesOf, lineWidth, pageBytes } from "./lines.ts";
import { pagerAlias, pagerToolName } from "./pager-tool.ts";
import { searchLines } from "./search.ts";

const answer = (text: string, isError = false): CallReply => ({
  content: [{ type: "text", text }],
  isError,
  repairs: [],
});

function integer(given: JsonObject, name: string, fallback: number): number {
  const value = own(given, name);
  return typeof value === "number" && value >= 0 ? Math.floor(value) : fallback;
}

/** The lines from `first` (counted from 0) that fit into a page, under a heading that says how to go on. */
function readPage(text: string, lines: readonly Line[], given: JsonObject, bytes: number): string {
  const first = Math.max(0, integer(given, "offset", 1) - 1);
  const most = Math.max(1, integer(given, "limit", lines.length));
  const whole = `${count(lines.length)} lines, ${count(utf8Length(text))} bytes`;
  if (first >= lines.length) return `There is no line ${count(first + 1)}: the output has ${whole}.`;
  let left = bytes;
  let next = first;
  for (; next < lines.length && next - first < most; next++) {
    left -= utf8Length(text.slice(lines[next]?.start, lines[next]?.end));
    if (left < 0) break;
  }
  const position = { id: own(given, "id") ?? "", offset: next + 1 };
  const more = next < lines.length ? ` More: ${pagerAlias} ${JSON.stringify(position)}` : " This is the end.";
  const page = text.slice(lines[first]?.start, lines[next - 1]?.end);
  return `Lines ${count(first + 1)} to ${count(next)} of ${whole}.${more}\n${page}`;
}

/**
 * Answers calls of the host's own tools. A page always fits into the output budget of one result. Never rejects: an
 * unknown id or a store that cannot be read is a result with `isError`.
 */
export function createPager(spill: SpillStore, limits: Limits): CallServer {
  return async ({ runId, route, arguments: given }) => {
    if (route.server !== builtinServer || route.tool !== pagerToolName) {
      return answer(`There is no tool ${oneLine(route.tool, 100)}.`, true);
    }
    const id = own(given, "id");
    if (typeof id !== "string") return answer("The id of a kept output is missing.", true);
    let text: string | null;
    try {
      text = await spill.get(runId, id);
    } catch {
      return answer("Kept outputs cannot be read at the moment.", true);
    }
    if (text === null) {
      return answer(
        `There is no kept output ${JSON.stringify(oneLine(id, 100))}. Ids are valid only in the run that made them: ` +
          "call the tool again that gave the output.",
        true,
      );
    }
    const lines = linesOf(text, lineWidth(limits));
    const search = own(given, "search");
    if (typeof search === "string" && search !== "") {
      return answer(
        searchLines(text, lines, {
          search,
          first: Math.max(0, integer(given, "offset", 1) - 1),
          most: Math.max(1, integer(given, "limit", lines.length)),
          context: Math.min(20, integer(given, "context", 0)),
          caseSensitive: own(given, "case_sensitive") === true,
          bytes: pageBytes(limits),
        }),
      );
    }
    return answer(readPage(text, lines, given, pageBytes(limits)));
  };
}
