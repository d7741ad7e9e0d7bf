import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultBlock,
  UserMessage,
} from "../../types/message.ts";
import { emptyError, emptyResult } from "../../util/empty-result.ts";
import { plainCallIds, wireName } from "../wire/call-id.ts";
import { encodeJson, objectJson } from "../wire/json-bytes.ts";
import type { LanguageModelVersion } from "./language-model.ts";

/** The name of this bridge in the turns that its models wrote. */
export const languageModelApi = "language-model";

/** Writes conversations as prompts; each message is made once. */
export type PromptEncoder = (system: string, messages: readonly Message[]) => object[];

/** @param model the model's name, as its turns carry it. */
export function createPromptEncoder(version: LanguageModelVersion, model: string): PromptEncoder {
  const made = new WeakMap<Message, object[]>();
  const encode = (message: Message, before: Message | undefined): object[] => {
    const known = made.get(message);
    if (known !== undefined) return known;
    const json =
      message.role === "assistant" ? assistantJson(message, model) : userJson(message, before, version);
    const parts = parseWellFormed(`[${json}]`);
    made.set(message, parts);
    return parts;
  };
  return (system, messages) => [
    ...(system.trim() === "" ? [] : [{ role: "system", content: system }]),
    ...messages.flatMap((message, index) => encode(message, messages[index - 1])),
  ];
}

/** The value without halves of surrogate pairs, which APIs refuse. */
function parseWellFormed(json: string): object[] {
  return JSON.parse(new TextDecoder().decode(encodeJson(json))) as object[];
}

function assistantJson({ content, native }: AssistantMessage, model: string): string {
  const own = native !== undefined && native.api === languageModelApi && native.model === model;
  const parts = own ? native.json : `[${content.flatMap(rebuiltPart).join(",")}]`;
  return parts === "[]" ? "" : `{"role":"assistant","content":${parts}}`;
}

/** A block of another model's turn, without what only that model can read. */
function rebuiltPart(block: AssistantMessage["content"][number]): string[] {
  if (block.type === "thinking") return [];
  if (block.type === "text") return block.text.trim() === "" ? [] : [textJson(block.text)];
  const { id, name, input } = block;
  return [callJson(plainCallIds.wireId(id), name, input, "")];
}

/** A call in a stored turn. @param rest further members, each with the comma in front. */
export function callJson(id: string, name: string, input: string, rest: string): string {
  return (
    `{"type":"tool-call","toolCallId":${JSON.stringify(id)},"toolName":"${wireName(name)}",` +
    `"input":${JSON.stringify(JSON.parse(objectJson(input)))}${rest}}`
  );
}

export function textJson(text: string, rest = ""): string {
  return `{"type":"text","text":${JSON.stringify(text)}${rest}}`;
}

/**
 * Results first, in one message of tools; then one message of the user with the images of the results and everything
 * else: an output is either marked as an error or may hold images, and some providers write images out as text.
 */
function userJson(message: UserMessage, before: Message | undefined, version: LanguageModelVersion): string {
  const behind: string[] = [];
  const results = message.content.flatMap((block) =>
    block.type === "tool_result" ? [resultJson(block, before, version, behind)] : [],
  );
  const others = message.content.flatMap((block) =>
    block.type === "tool_result" ? [] : shownPart(block, version),
  );
  const shown = [...behind, ...others];
  return [
    ...(results.length === 0 ? [] : [`{"role":"tool","content":[${results.join(",")}]}`]),
    ...(shown.length === 0 ? [] : [`{"role":"user","content":[${shown.join(",")}]}`]),
  ].join(",");
}

function resultJson(
  { callId, content, isError }: ToolResultBlock,
  before: Message | undefined,
  version: LanguageModelVersion,
  behind: string[],
): string {
  const id = plainCallIds.wireId(callId);
  const texts = content.flatMap((block) =>
    block.type === "text" && block.text.trim() !== "" ? [block.text] : [],
  );
  const images = content.flatMap((block) => (block.type === "image" ? shownPart(block, version) : []));
  if (images.length > 0) {
    behind.push(textJson(`From the result of the call ${id}:`), ...images);
    texts.push(images.length === 1 ? "[1 image below.]" : `[${images.length} images below.]`);
  }
  const text = texts.join("\n") || (isError ? emptyError : emptyResult);
  // Most providers lose the mark of an error: its text says so too.
  const output = isError ? { type: "error-text", value: `ERROR: ${text}` } : { type: "text", value: text };
  return JSON.stringify({ type: "tool-result", toolCallId: id, toolName: nameOf(callId, before), output });
}

function nameOf(callId: string, before: Message | undefined): string {
  const calls = before?.role === "assistant" ? before.content : [];
  const call = calls.find((block) => block.type === "tool_call" && block.id === callId);
  return wireName(call?.type === "tool_call" ? call.name : "");
}

function shownPart(block: TextBlock | ImageBlock, version: LanguageModelVersion): string[] {
  if (block.type === "text") return block.text.trim() === "" ? [] : [textJson(block.text)];
  const { mediaType, data } = block;
  if (data === "") return [];
  const held = version === "v4" ? { type: "data", data } : data;
  return [JSON.stringify({ type: "file", mediaType, data: held })];
}
