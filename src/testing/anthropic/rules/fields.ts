import { isObject, own } from "../../../util/own.ts";
import {
  allBlocksOf,
  firstRefusal,
  hasBeta,
  objectsOf,
  type PlacedBlock,
  type Rule,
  type WireObject,
} from "./request-view.ts";

const requestFields = new Set(
  (
    "model max_tokens messages system tools tool_choice stream temperature top_k top_p stop_sequences metadata thinking " +
    "cache_control container diagnostics inference_geo output_config service_tier speed"
  ).split(" "),
);

/** Fields of the request that are there only with a beta. */
const betaFields: Readonly<Record<string, string>> = {
  compaction: "compact-2026-09-04",
  context_management: "context-management-2025-06-27",
  fallbacks: "server-side-fallback-",
  mcp_servers: "mcp-client-",
  thread: "message-threads-",
};

const toolFields = new Set(
  (
    "name description input_schema type cache_control defer_loading allowed_callers eager_input_streaming " +
    "input_examples strict"
  ).split(" "),
);

/** Fields of the block types a client writes. Types that only the API mints may hold anything. */
const blockFields: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(["type", "text", "cache_control", "citations"]),
  image: new Set(["type", "source", "cache_control", "transformations"]),
  document: new Set(["type", "source", "cache_control", "citations", "context", "title"]),
  search_result: new Set(["type", "content", "source", "title", "cache_control", "citations"]),
  tool_reference: new Set(["type", "tool_name", "cache_control"]),
  tool_use: new Set(["type", "id", "name", "input", "cache_control", "caller", "toolset_name"]),
  tool_result: new Set(["type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"]),
  thinking: new Set(["type", "thinking", "signature"]),
  redacted_thinking: new Set(["type", "data"]),
};

const userTypes = new Set(["text", "image", "document", "search_result", "tool_result"]);
const resultTypes = new Set(["text", "image", "document", "search_result", "tool_reference"]);

/** Rule 1: `max_tokens`, `messages` and `model` are required. */
export const requiredFields: Rule = (request) =>
  firstRefusal(["max_tokens", "messages", "model"], (name) =>
    Object.hasOwn(request, name) ? null : `${name}: Field required`,
  );

/** Types of the top-level fields. */
export const fieldTypes: Rule = (request) => {
  if (typeof request.model !== "string") return "model: Input should be a valid string";
  if (!Number.isInteger(request.max_tokens)) return "max_tokens: Input should be a valid integer";
  if (Number(request.max_tokens) < 1) return "max_tokens: Input should be greater than or equal to 1";
  if (!Array.isArray(request.messages)) return "messages: Input should be a valid list";
  if (request.messages.length === 0) return "messages: at least one message is required";
  if (request.tools !== undefined && !Array.isArray(request.tools)) {
    return "tools: Input should be a valid list";
  }
  const tool = (request.tools ?? []).findIndex((entry) => !isObject(entry));
  if (tool !== -1) return `tools.${tool}: Input should be a valid dictionary`;
  const { system } = request;
  const systemFits = system === undefined || typeof system === "string" || objectsOf(system).length > 0;
  return systemFits ? null : "system: Input should be a valid list";
};

const roles = new Set(["user", "assistant", "system"]);

/** A message has a role, and content that is a text or a list of objects with a type. */
export const messageShapes: Rule = (request) =>
  firstRefusal(request.messages as unknown[], (message, index) => {
    if (!isObject(message)) return `messages.${index}: Input should be a valid dictionary`;
    const extra = Object.keys(message).find((name) => name !== "role" && name !== "content");
    if (extra !== undefined) return `messages.${index}.${extra}: Extra inputs are not permitted`;
    if (!roles.has(String(message.role))) {
      return `messages.${index}.role: Input should be 'user', 'assistant' or 'system'`;
    }
    if (typeof message.content === "string") return null;
    if (!Array.isArray(message.content)) return `messages.${index}.content: Input should be a valid list`;
    return firstRefusal(message.content, (block, place) =>
      isObject(block) && typeof block.type === "string"
        ? null
        : `messages.${index}.content.${place}.type: Field required`,
    );
  });

/** Rule 2: fields that nobody knows, of the request, its tools and its blocks. */
export const unknownFields: Rule = (request, context) => {
  const extra = Object.keys(request).find(
    (name) => !requestFields.has(name) && !hasBeta(context, own(betaFields, name) ?? ""),
  );
  if (extra !== undefined) return `${extra}: Extra inputs are not permitted`;
  return (
    firstRefusal(objectsOf(request.tools), (tool, index) => {
      if (tool.type !== undefined && tool.type !== null && tool.type !== "custom") return null;
      const field = Object.keys(tool).find((name) => !toolFields.has(name));
      return field === undefined ? null : `tools.${index}.custom.${field}: Extra inputs are not permitted`;
    }) ?? firstRefusal(allBlocksOf(request), unknownBlockField)
  );
};

function unknownBlockField({ path, block }: PlacedBlock): string | null {
  const type = String(block.type);
  const known = Object.hasOwn(blockFields, type) ? blockFields[type] : undefined;
  const field = known && Object.keys(block).find((name) => !known.has(name));
  return field === undefined ? null : `${path}.${type}.${field}: Extra inputs are not permitted`;
}

/** Which types of block a user's message and a tool result may hold. An assistant's may be any the API minted. */
export const blockTypes: Rule = (request) =>
  firstRefusal(allBlocksOf(request), ({ path, role, block }) => {
    const nested = path.includes(".tool_result.");
    if (role === "assistant" && !nested) {
      return block.type === "tool_result"
        ? `${path}: \`tool_result\` blocks can only be in \`user\` messages`
        : null;
    }
    if (role === "system") return null;
    if (block.type === "tool_use")
      return `${path}: \`tool_use\` blocks can only be in \`assistant\` messages`;
    const allowed = nested ? resultTypes : userTypes;
    if (allowed.has(String(block.type))) return null;
    return `${path}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`;
  });

const requiredStrings: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  tool_use: ["id", "name"],
  tool_result: ["tool_use_id"],
  thinking: ["thinking", "signature"],
  redacted_thinking: ["data"],
};

/** Fields that a block of its type must have, as text. */
export const blockStrings: Rule = (request) =>
  firstRefusal(allBlocksOf(request), ({ path, block }) => {
    const type = String(block.type);
    const names = Object.hasOwn(requiredStrings, type) ? (requiredStrings[type] ?? []) : [];
    return firstRefusal(names, (name) => {
      if (block[name] === undefined) return `${path}.${type}.${name}: Field required`;
      return typeof block[name] === "string"
        ? null
        : `${path}.${type}.${name}: Input should be a valid string`;
    });
  });

/** The content of a tool result is a text or a list of blocks, and `is_error` a boolean. */
export const resultShapes: Rule = (request) =>
  firstRefusal(allBlocksOf(request), ({ path, block }: { path: string; block: WireObject }) => {
    if (block.type !== "tool_result") return null;
    const { content, is_error: isError } = block;
    if (isError !== undefined && typeof isError !== "boolean") {
      return `${path}.tool_result.is_error: Input should be a valid boolean`;
    }
    if (content === undefined || typeof content === "string") return null;
    return Array.isArray(content) && content.every(isObject)
      ? null
      : `${path}.tool_result.content: Input should be a valid list`;
  });
