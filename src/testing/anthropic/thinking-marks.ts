import { createHash } from "node:crypto";
import { objectsOf, type WireObject } from "./rules/request-view.ts";
import type { SimulatedBlock } from "./turns.ts";

/** What the API knows of a block of thinking that it gave out. */
export interface IssuedThinking {
  readonly model: string;
  /** Hash of the conversation before the answer that it is part of. */
  readonly prefix: string;
  /** Hash of its words. */
  readonly words: string;
  /** Hash of the words of all blocks of thinking of its answer, in order. */
  readonly answer: string;
}

/** The marks that a simulator puts on blocks of thinking, and those that its script put there. */
export interface ThinkingMarks {
  /** Marks the blocks of an answer; a block that has a mark already keeps it. */
  mark(blocks: readonly SimulatedBlock[], request: WireObject): readonly SimulatedBlock[];
  /** What a mark stands for; nothing when nobody gave it out, several when a script put it on several blocks. */
  find(mark: string): readonly IssuedThinking[];
}

/** The field that holds the mark of a block. */
const markFields: Readonly<Record<string, string>> = { thinking: "signature", redacted_thinking: "data" };

/** Whether a block is one of thinking, shown or redacted. */
export function isThinking(block: WireObject): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

/** The signature of a block of thinking, or the data of a redacted one. */
export function markOf(block: WireObject): string {
  return String(block[markFields[String(block.type)] ?? ""] ?? "");
}

/** Marks hold what they stand for, so that a block also verifies at another simulator. */
export function createThinkingMarks(): ThinkingMarks {
  const scripted = new Map<string, IssuedThinking[]>();
  return {
    mark(blocks, request) {
      const thinking = blocks.filter(isThinking);
      if (thinking.length === 0) return blocks;
      const answer = answerOf(thinking);
      const prefix = prefixesOf(request).at(-1) ?? "";
      return blocks.map((block) => {
        if (!isThinking(block)) return block;
        const issued = { model: String(request.model), prefix, words: wordsOf(block), answer };
        const given = markOf(block);
        if (given !== "") scripted.set(given, [...(scripted.get(given) ?? []), issued]);
        const field = markFields[block.type] ?? "";
        return given === "" ? { ...block, [field]: write(issued) } : block;
      });
    },
    find: (mark) => scripted.get(mark) ?? read(mark),
  };
}

/** What may not change in a block. A redacted one has nothing but its data, which is its mark. */
export function wordsOf(block: WireObject): string {
  return block.type === "thinking" ? hash(String(block.thinking)) : "redacted";
}

/** Hash of the words of blocks of thinking, in order. */
export function answerOf(blocks: readonly WireObject[]): string {
  return hash(blocks.map(wordsOf));
}

/**
 * The hash of everything before each message, and of the whole conversation last. Blocks of thinking and cache
 * breakpoints are no part of it.
 */
export function prefixesOf(request: WireObject): string[] {
  let state = hash([partsOf(request.system), partsOf(request.tools)]);
  const prefixes = [state];
  for (const { role, content } of objectsOf(request.messages)) {
    for (const part of partsOf(content)) state = hash([state, role, part]);
    prefixes.push(state);
  }
  return prefixes;
}

function partsOf(value: unknown): unknown[] {
  if (typeof value === "string") return value === "" ? [] : [{ type: "text", text: value }];
  return objectsOf(value)
    .filter((block) => !isThinking(block))
    .map(({ cache_control: _, ...rest }) => rest);
}

const version = "sim1";

function write({ model, prefix, words, answer }: IssuedThinking): string {
  return Buffer.from(JSON.stringify([version, model, prefix, words, answer])).toString("base64");
}

function read(mark: string): IssuedThinking[] {
  try {
    const found: unknown = JSON.parse(Buffer.from(mark, "base64").toString("utf8"));
    if (!Array.isArray(found) || found[0] !== version) return [];
    const [, model = "", prefix = "", words = "", answer = ""] = found.map(String);
    return [{ model, prefix, words, answer }];
  } catch {
    return [];
  }
}

function hash(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}
