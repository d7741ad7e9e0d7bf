import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultBlock,
  UserMessage,
} from "../../types/message.ts";
import { emptyError, emptyResult } from "../../util/empty-result.ts";
import { wireName } from "../wire/call-id.ts";
import type { EncodedMessage } from "../wire/history.ts";
import type { ImageGate, ImageLimits } from "../wire/image-gate.ts";
import { encodeJson, objectJson } from "../wire/json-bytes.ts";
import type { ChatProfile } from "./profile.ts";

/** One message of ours, which may be several of the API's. */
export interface EncodedChatMessage extends EncodedMessage {
  /** The role of the last of them. */
  readonly lastRole: "user" | "assistant" | "tool";
}

/** What a request of Chat Completions surely takes: local servers take less than OpenAI's 500 images and 50 MB. */
export const imageLimits: ImageLimits = {
  most: 100,
  characters: 24 * 1024 * 1024,
  large: { count: Number.POSITIVE_INFINITY, pixels: Number.POSITIVE_INFINITY },
};

/** Stands between tool results and a message of the user, for servers that take none directly behind them. */
const between = ',{"role":"assistant","content":"I have read the results."}';

interface Encoding {
  readonly profile: ChatProfile;
  readonly model: string;
  readonly gate: ImageGate;
}

/**
 * The message in the API's form, or null when nothing of it can be sent. A turn of the same model is sent as the model
 * wrote it.
 */
export function encodeMessage(
  message: Message,
  encoding: Encoding,
  before: EncodedChatMessage | null,
): EncodedChatMessage | null {
  if (message.role === "assistant") return encodeAssistant(message, encoding);
  return encodeUser(message, encoding, before?.lastRole === "tool");
}

/** Results first, one message each; then one message of the user with the images of the results and everything else. */
function encodeUser(message: UserMessage, encoding: Encoding, afterTool: boolean): EncodedChatMessage | null {
  const { profile } = encoding;
  const results = message.content.filter((block) => block.type === "tool_result");
  const others = message.content.filter((block) => block.type !== "tool_result");
  const shown: ContentPart[] = [];
  // An image beside results is one of a result that failed.
  const takesImages = results.length > 0 ? profile.toolResultImages : profile.userImages;
  const notes = takesImages
    ? []
    : others.flatMap((block) =>
        block.type === "image" && block.data !== "" ? [omitted(block, profile, results.length > 0)] : [],
      );
  const written = results
    .map((result, index) => toolMessage(result, encoding, shown, index === results.length - 1 ? notes : []))
    .join("");
  if (results.length === 0) shown.push(...notes.map((text) => ({ text })));
  const kept = others.filter((block) => takesImages || block.type !== "image");
  shown.push(...kept.flatMap((block) => shownPart(block, encoding.gate)));
  const content = contentJson(shown);
  if (content === null && written === "") return null;
  const gap = content !== null && !profile.userAfterTool && (written !== "" || afterTool) ? between : "";
  const user = content === null ? "" : `,{"role":"user","content":${content}}`;
  return {
    role: "user",
    lastRole: user === "" ? "tool" : "user",
    bytes: encodeJson(`${written}${gap}${user}`),
    callIds: new Set(),
  };
}

type ContentPart = { readonly text: string } | { readonly url: string };

/**
 * A tool's result: a text, because the API takes nothing else. An error is told by the word in front of it, the images
 * that cannot be sent by the notes at its end.
 */
function toolMessage(
  result: ToolResultBlock,
  { profile, gate }: Encoding,
  behind: ContentPart[],
  notes: readonly string[],
): string {
  const id = profile.callIds.wireId(result.callId);
  const parts: string[] = [];
  let images = 0;
  for (const block of result.content) {
    if (block.type === "text") {
      if (block.text.trim() !== "") parts.push(block.text);
    } else if (block.data !== "") {
      if (!profile.toolResultImages) {
        parts.push(omitted(block, profile, true));
        continue;
      }
      const [part] = shownPart(block, gate);
      if (part === undefined) continue;
      if ("url" in part) {
        images += 1;
        if (images === 1) behind.push({ text: `From the result of the call ${id}:` });
        behind.push(part);
      } else parts.push(part.text);
    }
  }
  if (images > 0) parts.push(images === 1 ? "[1 image below.]" : `[${images} images below.]`);
  parts.push(...notes);
  const text = parts.join("\n") || (result.isError ? emptyError : emptyResult);
  const content = JSON.stringify(result.isError ? `ERROR: ${text}` : text);
  return `,{"role":"tool","tool_call_id":"${id}","content":${content}}`;
}

function omitted({ mediaType, data }: ImageBlock, { title }: ChatProfile, ofResult: boolean): string {
  const reason = `${title} takes no images${ofResult ? " in tool results" : ""}`;
  return `[${mediaType} ${Math.ceil((data.length * 3) / 4 / 1024)} KB omitted: ${reason}.]`;
}

function shownPart(block: TextBlock | ImageBlock, gate: ImageGate): ContentPart[] {
  if (block.type === "text") return block.text.trim() === "" ? [] : [{ text: block.text }];
  if (block.data === "") return [];
  const reason = gate.leaveOut(block);
  if (reason !== null) return [{ text: `[Image left out: ${reason}.]` }];
  return [{ url: `data:${block.mediaType};base64,${block.data}` }];
}

/** One text as it is, which every server takes, and a list of parts where there are images. */
function contentJson(parts: readonly ContentPart[]): string | null {
  if (parts.length === 0) return null;
  const texts = parts.flatMap((part) => ("text" in part ? [part.text] : []));
  if (texts.length === parts.length) return JSON.stringify(texts.join("\n\n"));
  const written = parts.map((part) =>
    "text" in part
      ? `{"type":"text","text":${JSON.stringify(part.text)}}`
      : `{"type":"image_url","image_url":{"url":"${part.url}"}}`,
  );
  return `[${written.join(",")}]`;
}

function encodeAssistant(message: AssistantMessage, encoding: Encoding): EncodedChatMessage | null {
  const { profile, model } = encoding;
  const { native } = message;
  const own = native !== undefined && native.api === profile.api && native.model === model;
  const calls = message.content.filter((block) => block.type === "tool_call");
  const json = own ? native.json.slice(1, -1) : rebuilt(message, profile);
  if (json === "") return null;
  return {
    role: "assistant",
    lastRole: "assistant",
    bytes: encodeJson(`,${json}`),
    callIds: new Set(calls.map(({ id }) => profile.callIds.wireId(id))),
  };
}

function rebuilt({ content }: AssistantMessage, profile: ChatProfile): string {
  const text = content.flatMap((block) =>
    block.type === "text" && block.text.trim() !== "" ? [block.text] : [],
  );
  const calls = content.flatMap((block) =>
    block.type === "tool_call"
      ? [{ id: profile.callIds.wireId(block.id), name: block.name, input: block.input }]
      : [],
  );
  return assistantJson(text.join("\n"), calls, {}, profile);
}

/** A call as a turn holds it; `input` is the raw text of the arguments. */
interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/**
 * A turn in the API's form; empty when there is nothing in it. Arguments that are no JSON object go back as `{}`:
 * servers that read them into a template fail at anything else.
 */
export function assistantJson(
  text: string,
  calls: readonly WrittenCall[],
  echoed: Readonly<Record<string, unknown>>,
  profile: ChatProfile,
): string {
  const empty = text.trim() === "";
  if (empty && calls.length === 0) return "";
  const content = empty ? profile.emptyContent : JSON.stringify(text);
  const fields = Object.entries(echoed).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const { requiredEcho } = profile;
  if (requiredEcho !== null && !Object.hasOwn(echoed, requiredEcho)) {
    fields.push(`,${JSON.stringify(requiredEcho)}:""`);
  }
  const written = calls.map(
    ({ id, name, input }) =>
      `{"id":"${id}","type":"function","function":{"name":"${wireName(name)}","arguments":${JSON.stringify(objectJson(input))}}}`,
  );
  const list = written.length === 0 ? "" : `,"tool_calls":[${written.join(",")}]`;
  return `{"role":"assistant","content":${content}${fields.join("")}${list}}`;
}
