import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultBlock,
  UserMessage,
} from "../../types/message.ts";
import { emptyError } from "../../util/empty-result.ts";
import { plainCallIds, wireName } from "../wire/call-id.ts";
import type { EncodedMessage } from "../wire/history.ts";
import type { ImageGate, ImageLimits } from "../wire/image-gate.ts";
import { encodeJson, objectJson } from "../wire/json-bytes.ts";

const { wireId } = plainCallIds;

/** A request takes 100 images of 32 MB with everything else, and beside more than 20 none of more than 2,000 pixels. */
export const imageLimits: ImageLimits = {
  most: 100,
  characters: 24 * 1024 * 1024,
  large: { count: 20, pixels: 2_000 },
};

/** How each message ends: its last block, its content, itself. The marker of a cache breakpoint goes in front of it. */
export const closing = "}]}";

/**
 * The message in the API's form, or null when nothing of it can be sent: the API refuses messages and texts that are
 * empty. A turn of the same model is sent as the model wrote it.
 */
export function encodeMessage(message: Message, model: string, gate: ImageGate): EncodedMessage | null {
  const content = message.role === "user" ? userContent(message, gate) : assistantContent(message, model);
  if (content === "") return null;
  const bytes = encodeJson(`,{"role":"${message.role}","content":[${content}]}`);
  return { role: message.role, bytes, callIds: callIdsOf(message) };
}

function callIdsOf(message: Message): ReadonlySet<string> {
  const ids = new Set<string>();
  if (message.role === "assistant") {
    for (const block of message.content) if (block.type === "tool_call") ids.add(wireId(block.id));
  }
  return ids;
}

/** Results first, as the API demands; the pictures of an error go behind the last result. */
function userContent(message: UserMessage, gate: ImageGate): string {
  const results = message.content.filter((block) => block.type === "tool_result");
  const others = message.content.filter((block) => block.type !== "tool_result");
  const pictures = results.flatMap((result) =>
    result.isError ? result.content.filter((block) => block.type === "image") : [],
  );
  const written = results.map((result) => resultJson(result, gate));
  return [...written, ...[...pictures, ...others].flatMap((block) => shownJson(block, gate))].join(",");
}

function resultJson(result: ToolResultBlock, gate: ImageGate): string {
  const blocks = result.isError ? result.content.filter((block) => block.type === "text") : result.content;
  const parts = blocks.flatMap((block) => shownJson(block, gate));
  if (result.isError && parts.length === 0) parts.push(...textJson(emptyError));
  const content = parts.length === 0 ? "" : `,"content":[${parts.join(",")}]`;
  const isError = result.isError ? ',"is_error":true' : "";
  return `{"type":"tool_result","tool_use_id":"${wireId(result.callId)}"${content}${isError}}`;
}

function shownJson(block: TextBlock | ImageBlock, gate: ImageGate): string[] {
  if (block.type === "text") return textJson(block.text);
  if (block.data === "") return [];
  const reason = gate.leaveOut(block);
  if (reason !== null) return textJson(`[Image left out: ${reason}.]`);
  const source = { type: "base64", media_type: block.mediaType, data: block.data };
  return [`{"type":"image","source":${JSON.stringify(source)}}`];
}

/** A text of white space alone counts as empty. */
function textJson(text: string): string[] {
  return text.trim() === "" ? [] : [`{"type":"text","text":${JSON.stringify(text)}}`];
}

function assistantContent(message: AssistantMessage, model: string): string {
  const { native } = message;
  if (native !== undefined && native.api === "anthropic" && native.model === model)
    return native.json.slice(1, -1);
  return message.content
    .flatMap((block) => {
      if (block.type === "thinking") return [];
      if (block.type === "text") return textJson(block.text);
      const name = JSON.stringify(wireName(block.name));
      return [
        `{"type":"tool_use","id":"${wireId(block.id)}","name":${name},"input":${objectJson(block.input)}}`,
      ];
    })
    .join(",");
}
