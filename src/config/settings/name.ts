import { outsidePair } from "../../util/one-line.ts";
import { visibleLine } from "../../util/visible.ts";

const plainKey = /^[\w$-]+$/;
const longestKey = 80;

/** The path of a key for people: `mcpServers.files.args[2]`; what is not plain stands in quotes, cut when it is long. */
export function nameOf(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => {
      if (typeof key === "number") return `[${key}]`;
      return `${index === 0 ? "" : "."}${plainKey.test(key) && key.length <= longestKey ? key : quoted(key)}`;
    })
    .join("");
}

/** A text from a file in quotes, on one line, cut when it is long. */
export function quoted(text: string): string {
  const head = text.slice(0, outsidePair(text, Math.min(text.length, longestKey)));
  return `"${visibleLine(head)}${head.length < text.length ? "…" : ""}"`;
}
