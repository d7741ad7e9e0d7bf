import type { ModelEvent } from "../../types/model.ts";
import { isObject } from "../../util/own.ts";

type Part = Readonly<Record<string, unknown>>;

/** Words or a thought while they are streamed. */
interface OpenWords {
  readonly type: "text" | "reasoning";
  readonly pieces: string[];
  /** What the provider wants back with it: a signature, an id. The newest holds. */
  metadata: unknown;
}

/** A call while it is streamed. */
interface OpenCall {
  readonly type: "tool-call";
  /** As it is stored: unique in the conversation. */
  readonly id: string;
  readonly name: string;
  /** Pieces of the raw text of its arguments. */
  readonly pieces: string[];
  whole: boolean;
  metadata: unknown;
  /** True for a tool of the provider's own, which it has run itself. */
  readonly executed: boolean;
}

/** Something that only the provider understands: it goes back as it came. */
interface OpaquePart {
  readonly type: "opaque";
  readonly json: string;
}

export type OpenPart = OpenWords | OpenCall | OpaquePart;

/** Puts the parts of one answer together. */
export interface PartCollector {
  /** Takes a part and gives the deltas that it adds. */
  take(part: Part): ModelEvent[];
  readonly parts: readonly OpenPart[];
}

/** Most parts an answer may have. */
const partLimit = 10_000;

type Add = <T extends OpenPart>(part: T) => T;
type TakePart = (part: Part) => ModelEvent[];

/** @param unique an id of a call that is not in the conversation yet. */
export function createPartCollector(unique: (id: string) => string): PartCollector {
  const parts: OpenPart[] = [];
  const add: Add = (part) => {
    if (parts.length < partLimit) parts.push(part);
    return part;
  };
  const takeWords = createWordsTaker(add);
  const takeCall = createCallTaker(add, unique);
  return {
    parts,
    take(part) {
      const type = String(part.type);
      if (type.startsWith("text-") || /^reasoning-(?:start|delta|end)$/.test(type)) return takeWords(part);
      if (type.startsWith("tool-input-") || type === "tool-call") return takeCall(part);
      if (opaqueTypes.has(type)) add<OpaquePart>({ type: "opaque", json: opaqueJson(part) });
      return [];
    },
  };
}

const opaqueTypes: ReadonlySet<string> = new Set(["tool-result", "custom", "reasoning-file"]);

/** Words belong together by their id from their start on; an id may be used again. */
function createWordsTaker(add: Add): TakePart {
  const open = new Map<string, OpenWords>();
  return (part) => {
    const [kind, step] = String(part.type).split("-");
    const type = kind === "text" ? "text" : "reasoning";
    const key = `${type} ${textOf(part.id)}`;
    const known = step === "start" ? undefined : open.get(key);
    const words = known ?? add<OpenWords>({ type, pieces: [], metadata: undefined });
    open.set(key, words);
    words.metadata = part.providerMetadata ?? words.metadata;
    const text = step === "delta" ? textOf(part.delta) : "";
    if (text === "") return [];
    words.pieces.push(text);
    return [{ type: type === "text" ? "text_delta" : "thinking_delta", text }];
  };
}

/** Arguments belong together by the call's id until the whole call has come. */
function createCallTaker(add: Add, unique: (id: string) => string): TakePart {
  const calls = new Map<string, OpenCall>();
  const callOf = (part: Part, id: string): OpenCall => {
    const open = calls.get(id);
    if (open !== undefined && !open.whole) return open;
    const begun = add<OpenCall>({
      type: "tool-call",
      id: unique(id),
      name: textOf(part.toolName),
      pieces: [],
      whole: false,
      metadata: undefined,
      executed: part.providerExecuted === true,
    });
    calls.set(id, begun);
    return begun;
  };
  const takeInput = (open: OpenCall, json: string): ModelEvent[] => {
    if (json === "") return [];
    open.pieces.push(json);
    return open.executed ? [] : [{ type: "tool_input_delta", callId: open.id, name: open.name, json }];
  };
  return (part) => {
    if (part.type === "tool-input-start") callOf(part, textOf(part.id));
    const open = calls.get(textOf(part.id));
    if (part.type === "tool-input-delta" && open?.whole === false) return takeInput(open, textOf(part.delta));
    if (part.type !== "tool-call") return [];
    const call = callOf(part, textOf(part.toolCallId));
    const told = call.pieces.length === 0 ? takeInput(call, inputText(part.input)) : [];
    // What was shown may be less than what is meant: the whole part decides.
    call.pieces.splice(0, call.pieces.length, inputText(part.input));
    call.whole = true;
    call.metadata = part.providerMetadata;
    return told;
  };
}

/** Providers give the text; some models have been seen to give the value. */
function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  return isObject(input) ? JSON.stringify(input) : "";
}

/** A part of an answer as a prompt has it. */
function opaqueJson({ providerMetadata, result, isError, ...rest }: Part): string {
  const output = { type: isError === true ? "error-json" : "json", value: result ?? null };
  return JSON.stringify({
    ...rest,
    ...(rest.type === "tool-result" ? { output } : {}),
    ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }),
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
