import { createGlob, type Glob, type GlobToken } from "./glob.ts";
import type { Word } from "./words.ts";

/** The glob of a name, which has no segments: its `*` is any text. */
export function nameGlob(word: Word): Glob {
  return createGlob(
    word
      .flatMap((piece) => (piece.quoted ? literal(piece.text) : wildcards(piece.text, /(\*+)/)))
      .map(widest),
  );
}

function widest(token: GlobToken): GlobToken {
  return token.type === "text" ? token : { type: "anything" };
}

/** The glob of an argument: `*` stops at a separator, `**` does not. */
export function valueGlob(word: Word): Glob {
  const tokens = word.flatMap((piece, index) => {
    if (piece.quoted) return literal(piece.text);
    const before = word[index - 1]?.text.at(-1);
    return wildcards(piece.text, /(\*+\/?)/, before);
  });
  return createGlob(tokens);
}

function literal(text: string): GlobToken[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** `**` and a slash are folders only at the start of a segment. */
function wildcards(text: string, split: RegExp, before?: string): GlobToken[] {
  let previous = before;
  return text.split(split).flatMap((part): GlobToken[] => {
    const atStart = previous === undefined || previous === "/";
    previous = part.at(-1) ?? previous;
    if (!part.startsWith("*")) return literal(part);
    const stars = part.replaceAll("/", "").length;
    const slash = part.endsWith("/");
    if (stars > 1 && slash && atStart) return [{ type: "folders" }];
    return [{ type: stars > 1 ? "anything" : "segment" }, ...literal(slash ? "/" : "")];
  });
}
