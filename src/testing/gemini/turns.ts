import { isObject } from "../../util/own.ts";
import type {
  TimedTurn,
  SimulatedFault as WireFault,
  WireObject,
  SimulatedStep as WireStep,
} from "../wire-server/api.ts";

/** A call that the simulated model makes. */
export interface SimulatedGeminiCall {
  /** Minted when it is left out; null for a call without one, as models before Gemini 3 make them. */
  readonly id?: string | null;
  readonly name: string;
  /**
   * An object, or the raw text that the model should write. Left out: no arguments. What is no JSON object makes the
   * turn end as the API ends it, with `MALFORMED_FUNCTION_CALL`.
   */
  readonly args?: string | WireObject;
}

/** A part of an answer: a text, a call, or any other part as it is. */
export interface SimulatedGeminiPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: SimulatedGeminiCall;
  readonly [field: string]: unknown;
}

/** One answer of the simulated model. */
export interface SimulatedGeminiTurn extends TimedTurn {
  readonly parts?: readonly SimulatedGeminiPart[];
  /** Default: `STOP`, also with calls. */
  readonly finishReason?: string;
  readonly finishMessage?: string;
  /** The question was blocked: there is no answer. */
  readonly blockReason?: string;
  /** False leaves out the signatures that models from Gemini 3 on give. */
  readonly signatures?: boolean;
}

export type SimulatedGeminiFault = WireFault<SimulatedGeminiTurn>;

/** A step of the script: an answer, or something that goes wrong. */
export type SimulatedGeminiStep = WireStep<SimulatedGeminiTurn>;

/** A part that is ready to be sent. */
export interface CompletePart {
  /** JSON text of the part. */
  readonly json: string;
  /** Its text, when it can be streamed in pieces. */
  readonly text: string | null;
  readonly thought: boolean;
}

/** A turn that is ready to be sent. */
export interface CompleteTurn {
  readonly parts: readonly CompletePart[];
  readonly finishReason: string;
  readonly finishMessage?: string;
  readonly blockReason?: string;
  /** The signature of a turn without calls: it comes with the last part. */
  readonly lastSignature: string | null;
}

/** What is given to parts that lack it. */
export interface Minting {
  id(): string;
  /** A new thought signature; null for models that give none. */
  signature(): string | null;
}

/** Gives every call an id, and the first of them a signature. */
export function completeTurn(turn: SimulatedGeminiTurn, minting: Minting): CompleteTurn {
  const { parts = [], signatures = true, blockReason, finishMessage } = turn;
  const sign = (): string | null => (signatures ? minting.signature() : null);
  const calls = parts.filter(isCall);
  const broken = calls.find(({ functionCall: { args } }) => typeof args === "string" && !isObjectText(args));
  const signed = parts.some((part) => typeof part.thoughtSignature === "string");
  const complete = parts.flatMap((part): CompletePart[] => {
    if (!isCall(part)) return [otherPart(part)];
    if (broken !== undefined) return [];
    const signature = !signed && part === calls[0] ? sign() : null;
    return [callPart(part, minting, signature)];
  });
  const malformed = broken !== undefined && turn.finishReason === undefined;
  return {
    parts: complete,
    finishReason: malformed ? "MALFORMED_FUNCTION_CALL" : (turn.finishReason ?? "STOP"),
    ...(malformed ? { finishMessage: `Malformed function call: ${broken.functionCall.name}` } : {}),
    ...(finishMessage === undefined ? {} : { finishMessage }),
    ...(blockReason === undefined ? {} : { blockReason }),
    lastSignature: calls.length > 0 || signed || parts.length === 0 ? null : sign(),
  };
}

interface CallPart extends SimulatedGeminiPart {
  readonly functionCall: SimulatedGeminiCall;
}

function isCall(part: SimulatedGeminiPart): part is CallPart {
  return part.functionCall !== undefined;
}

function callPart(
  { functionCall, thoughtSignature }: CallPart,
  minting: Minting,
  minted: string | null,
): CompletePart {
  const { name, args } = functionCall;
  const id = functionCall.id === undefined ? minting.id() : functionCall.id;
  const written = typeof args === "string" ? args : JSON.stringify(args ?? {});
  const fields = [
    `"name":${JSON.stringify(name)}`,
    ...(args === undefined || written === "" ? [] : [`"args":${written}`]),
    ...(id === null ? [] : [`"id":${JSON.stringify(id)}`]),
  ];
  const signature = thoughtSignature ?? minted;
  const signed = signature === null ? "" : `,"thoughtSignature":${JSON.stringify(signature)}`;
  return { json: `{"functionCall":{${fields.join(",")}}${signed}}`, text: null, thought: false };
}

function otherPart(part: SimulatedGeminiPart): CompletePart {
  const plain = Object.keys(part).every((name) => name === "text" || name === "thought");
  const text = plain && typeof part.text === "string" ? part.text : null;
  return { json: JSON.stringify(part), text, thought: part.thought === true };
}

function isObjectText(text: string): boolean {
  if (text === "") return true;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
