import type { AssistantMessage } from "../../types/message.ts";
import type { ModelEvent } from "../../types/model.ts";
import { textOfJson } from "../../util/json-text.ts";
import { isObject } from "../../util/own.ts";
import { plainCallIds } from "../wire/call-id.ts";
import type { EncodedRequest } from "../wire/model.ts";
import { rawCall, rawParts } from "./json-slices.ts";
import { aliasOf } from "./names.ts";

/** Puts the parts of one answer together. */
export interface PartCollector {
  /** Takes the parts of one event; `payload` is its raw text. */
  take(parts: readonly unknown[], payload: string): ModelEvent[];
  /** The blocks of the answer. */
  content(): AssistantMessage["content"];
  /** Its native form. */
  json(): string;
  readonly calls: number;
}

/** Most calls an answer may have. */
const callLimit = 10_000;

/** Pieces of one text, spoken or thought. */
interface OpenText {
  readonly thought: boolean;
  readonly pieces: string[];
}

type Block = OpenText | { readonly id: string; readonly name: string; readonly input: string };

/**
 * Pieces of plain text are joined; every other part is kept as its raw text, so that signatures, numbers and keys of
 * arguments go back as they came. A part with a signature is never joined with another one.
 */
export function createPartCollector(request: EncodedRequest): PartCollector {
  const blocks: Block[] = [];
  const native: (string | OpenText)[] = [];
  const ids = new Set<string>();
  let calls = 0;

  const say = (text: string, thought: boolean, told: ModelEvent[]): void => {
    if (text === "") return;
    append(blocks, text, thought);
    told.push({ type: thought ? "thinking_delta" : "text_delta", text });
  };

  const call = (target: Record<string, unknown>, raw: string, told: ModelEvent[]): string => {
    const found = rawCall(raw);
    if (found === null || calls >= callLimit) return "";
    const given = typeof target.id === "string" ? target.id : "";
    const id = plainCallIds.unique(
      given === "" ? "call" : given,
      (one) => ids.has(one) || request.hasCall(one),
    );
    ids.add(id);
    calls += 1;
    const name = aliasOf(typeof target.name === "string" ? target.name : "", request.tools);
    const input = found.input === "" ? "{}" : found.input;
    blocks.push({ id, name, input });
    told.push({ type: "tool_input_delta", callId: id, name, json: input });
    return given === id ? raw : found.withId(id);
  };

  return {
    get calls() {
      return calls;
    },
    take(parts, payload) {
      const told: ModelEvent[] = [];
      const raws = parts.every(isPlainText) ? [] : rawParts(payload);
      for (const [index, part] of parts.entries()) {
        if (!isObject(part)) continue;
        const thought = part.thought === true;
        if (typeof part.text === "string") say(part.text, thought, told);
        const raw = raws[index] ?? "";
        if (isPlainText(part)) append(native, textOfJson(part.text), thought);
        else native.push(isObject(part.functionCall) ? call(part.functionCall, raw, told) : raw);
      }
      return told;
    },
    content: () => blocks.map((block) => neutral(block, request)),
    json() {
      const written = native.map((one) => (typeof one === "string" ? one : partOf(one)));
      const parts = written.filter((one) => one !== "");
      return parts.length === 0 ? "[]" : `[{"role":"model","parts":[${parts.join(",")}]}]`;
    },
  };
}

function neutral(block: Block, { tools }: EncodedRequest): AssistantMessage["content"][number] {
  if ("pieces" in block) return { type: block.thought ? "thinking" : "text", text: block.pieces.join("") };
  const { id, name, input } = block;
  return { type: "tool_call", id, name, input: tools.restore(name, input) };
}

/** Adds a piece to the text that is last, or begins one. */
function append(list: (string | Block)[], text: string, thought: boolean): void {
  const last = list.at(-1);
  if (typeof last === "object" && "pieces" in last && last.thought === thought) last.pieces.push(text);
  else list.push({ thought, pieces: [text] });
}

function partOf({ thought, pieces }: OpenText): string {
  const text = pieces.join("");
  if (text === "") return "";
  return `{"text":${JSON.stringify(text)}${thought ? ',"thought":true' : ""}}`;
}

/** A part that is nothing but a text. */
function isPlainText(part: unknown): boolean {
  if (!isObject(part) || typeof part.text !== "string") return false;
  return Object.keys(part).every((name) => name === "text" || (name === "thought" && part.thought === true));
}
