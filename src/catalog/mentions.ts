import type { CatalogTool } from "../types/tool.ts";
import { withoutEnd } from "../util/without-end.ts";

/** Longer descriptions are read up to here. */
const mostRead = 32_768;
/** A tool's own name, or one such as `search`, is an ordinary word; one with a mark or a capital inside was meant. */
const isDistinct = (name: string): boolean => name.length >= 4 && /[_\-./:0-9]|[a-z][A-Z]/.test(name);

/** The same by two patterns: most descriptions are ASCII, and the first is quicker to make. */
const asciiWords = /\w[\w\-./:]*/g;
const words = /[\p{L}\p{N}_][\p{L}\p{N}_\-./:]*/gu;
const notAscii = /[^\u0000-\u007f]/;
/** A word that somebody took the trouble to quote. */
const quotedWords = /[`"'“‘]([^\s`"'“”‘’]{2,128})[`"'”’]/g;

const steering =
  /\b(?:ignore|disregard|instead of|rather than|in place of|prefer(?:red)? (?:this|it)?|(?:do not|don['’]t|never) (?:use|call))\b[^.!?\n]{0,60}\b(?:(?:any|all|every|the)\s{1,3})?others?\b[^.!?\n]{0,30}\btools?\b/i;
const steeringElsewhere =
  /\b(?:ignore|disregard)\b[^.!?\n]{0,40}\b(?:all|any|previous|earlier|above|prior|system)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?|rules?|tools?)\b/i;

/** Names of tools by the texts that a description may write for them. */
export type MentionIndex = ReadonlyMap<string, readonly CatalogTool[]>;

/** Owners of one name beyond the second change nothing: whoever asks leaves out one. */
const mostOwners = 2;

export function indexMentions(tools: readonly CatalogTool[]): MentionIndex {
  const index = new Map<string, CatalogTool[]>();
  for (const tool of tools) {
    const { server, tool: name } = tool.route;
    for (const text of new Set([name, tool.alias, `${server}/${name}`, `${server}.${name}`])) {
      const kept = index.get(text) ?? [];
      if (kept.length < mostOwners && kept.every(({ route }) => route.server !== server)) {
        index.set(text, [...kept, tool]);
      }
    }
  }
  return index;
}

/** The first tool of another server that a description names, or undefined. A name that its own server has, too, is its own. */
export function mentionedTool(tool: CatalogTool, index: MentionIndex): CatalogTool | undefined {
  const text = textOf(tool);
  const candidates = [
    ...[...text.matchAll(notAscii.test(text) ? words : asciiWords)]
      .map(([word]) => trimmed(word))
      .filter(isDistinct),
    ...[...text.matchAll(quotedWords)].map(([, word = ""]) => trimmed(word)),
  ];
  for (const word of candidates) {
    const owners = index.get(word);
    if (owners === undefined || owners.some(({ route }) => route.server === tool.route.server)) continue;
    return owners[0];
  }
  return undefined;
}

/** Whether a description tells a model what to make of other tools, or of what it was told before. */
export function steersAway(tool: CatalogTool): boolean {
  const text = textOf(tool);
  return steering.test(text) || steeringElsewhere.test(text);
}

function textOf({ definition }: CatalogTool): string {
  const { title, description, annotations } = definition;
  return [title, annotations.title, description]
    .filter((text) => text !== undefined)
    .join("\n")
    .slice(0, mostRead);
}

/** The word without the end of its sentence. */
function trimmed(word: string): string {
  return withoutEnd(word, "-./:");
}
