import type { AssistantMessage, ToolCallBlock } from "../../types/message.ts";
import { textOfJson } from "../../util/json-text.ts";
import { isObject } from "../../util/own.ts";
import { plainCallIds } from "../wire/call-id.ts";
import { isReadable, objectJson } from "../wire/json-bytes.ts";
import type { GeminiFamily } from "./family.ts";
import { storedFunctionName } from "./names.ts";

/** A call of a turn, as its response has to name it. */
export interface TurnCall {
  /** The call's id in the transcript. */
  readonly callId: string;
  readonly name: string;
  /** Null when the call went without one. */
  readonly id: string | null;
}

/** A turn of the model in the API's form. */
export interface Turn {
  /** One content object; empty when there is nothing in it. */
  readonly json: string;
  readonly calls: readonly TurnCall[];
}

/**
 * The documented stand-in for the thought signature of a call that no Gemini model wrote: "Thought signatures", FAQ, of
 * the Gemini API's guide.
 */
const foreignSignature = "skip_thought_signature_validator";

/** Names of functions as the API takes them. */
const acceptedName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** Whether a call may go back as it came: the API refuses names that nobody may give, and arguments that are no object. */
function isAccepted({ name, args }: Readonly<Record<string, unknown>>): boolean {
  const isNamed = typeof name === "string" && acceptedName.test(name);
  return isNamed && (args === undefined || (isObject(args) && isReadable(args)));
}

/**
 * The turn as the model wrote it, or null when its native form does not hold the calls that the message has, or holds
 * one that the API would not take.
 */
export function nativeTurn({ native, content }: AssistantMessage): Turn | null {
  if (native === undefined) return null;
  const blocks = content.filter((block) => block.type === "tool_call");
  const written = writtenCalls(native.json);
  if (written.length !== blocks.length || !written.every(isAccepted)) return null;
  const calls = written.map(({ name, id }, index) => ({
    callId: blocks[index]?.id ?? "",
    name: textOfJson(name),
    id: typeof id === "string" ? id : null,
  }));
  return { json: native.json.slice(1, -1), calls };
}

function writtenCalls(json: string): Readonly<Record<string, unknown>>[] {
  const [content] = JSON.parse(json) as unknown[];
  const parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
  return parts.flatMap((part) => (isObject(part) && isObject(part.functionCall) ? [part.functionCall] : []));
}

/** The turn made of its neutral view: without thinking, and without what only its own model can read. */
export function rebuiltTurn({ content }: AssistantMessage, family: GeminiFamily): Turn {
  const calls: TurnCall[] = [];
  const parts = content.flatMap((block) => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [textPart(block.text)];
    if (block.type !== "tool_call") return [];
    const call = storedCall(block);
    calls.push(call);
    // Only the first call of a turn is asked for its signature.
    const signature =
      family.signsCalls && calls.length === 1 ? `,"thoughtSignature":"${foreignSignature}"` : "";
    const args = objectJson(block.input);
    return [`{"functionCall":{"id":"${call.id}","name":"${call.name}","args":${args}}${signature}}`];
  });
  return { json: parts.length === 0 ? "" : `{"role":"model","parts":[${parts.join(",")}]}`, calls };
}

function storedCall({ id, name }: ToolCallBlock): TurnCall {
  return { callId: id, name: storedFunctionName(name), id: plainCallIds.wireId(id) };
}

export function textPart(text: string): string {
  return `{"text":${JSON.stringify(text)}}`;
}
