import { isObject } from "../../../util/own.ts";
import type { WireObject } from "../../wire-server/api.ts";
import {
  type ChatRule,
  emptyArray,
  firstRefusal,
  objectsOf,
  type RuleRefusal,
  wrongType,
} from "./request-view.ts";

const roles: ReadonlySet<unknown> = new Set(["system", "assistant", "user", "function", "tool", "developer"]);

/** The roles of messages. */
export const messageRoles: ChatRule = ({ messages }) =>
  firstRefusal(objectsOf(messages), ({ role }, index) => {
    const param = `messages[${index}].role`;
    if (role === undefined) {
      return {
        message: `Missing required parameter: '${param}'.`,
        param,
        code: "missing_required_parameter",
      };
    }
    if (roles.has(role)) return null;
    const message = `Invalid value: '${String(role)}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`;
    return { message, param, code: "invalid_value" };
  });

/** A message has content; a turn with calls may have none. */
export const messageContent: ChatRule = ({ messages }) =>
  firstRefusal(objectsOf(messages), (message, index) => {
    const { content, role } = message;
    const param = `messages[${index}].content`;
    const calls = role === "assistant" && Array.isArray(message.tool_calls);
    if (content === undefined || content === null) {
      if (calls || (role === "assistant" && typeof message.refusal === "string")) return null;
      return {
        message: "Invalid value for 'content': expected a string, got null.",
        param: `messages.[${index}].content`,
      };
    }
    if (typeof content === "string") return null;
    if (!Array.isArray(content)) return wrongType(param, "one of a string or array of objects", content);
    return content.length === 0 ? emptyArray(param) : null;
  });

const partTypes: Readonly<Record<string, readonly string[]>> = {
  user: ["text", "image_url", "input_audio", "file"],
  assistant: ["text", "refusal"],
  system: ["text"],
  developer: ["text"],
  tool: ["text"],
};

/** The parts that each role takes; images are for the user alone. */
export const contentParts: ChatRule = ({ messages }) =>
  firstRefusal(objectsOf(messages), (message, index) =>
    firstRefusal(Array.isArray(message.content) ? message.content : [], (part, place) => {
      const path = `messages[${index}]`;
      const param = `${path}.content[${place}]`;
      if (!isObject(part)) return wrongType(param, "an object", part);
      const role = String(message.role);
      const allowed = partTypes[role] ?? [];
      if (allowed.includes(String(part.type))) return partShape(part, param);
      if (part.type === "image_url") {
        const text = `Invalid '${path}'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`;
        return { message: text, param: path, code: "invalid_value" };
      }
      const values = allowed.map((name) => `'${name}'`).join(", ");
      const text = `Invalid value: '${String(part.type)}'. Supported values are: ${values}.`;
      return { message: text, param: `${param}.type`, code: "invalid_value" };
    }),
  );

function partShape(part: WireObject, param: string): RuleRefusal | null {
  if (part.type === "text") {
    return typeof part.text === "string" ? null : wrongType(`${param}.text`, "a string", part.text);
  }
  if (part.type !== "image_url") return null;
  if (!isObject(part.image_url)) return wrongType(`${param}.image_url`, "an object", part.image_url);
  return typeof part.image_url.url === "string"
    ? null
    : wrongType(`${param}.image_url.url`, "a string", part.image_url.url);
}

/** Images in the request are of four types, and their base64 is some. */
export const imageUrls: ChatRule = ({ messages }) =>
  firstRefusal(objectsOf(messages), (message, index) =>
    firstRefusal(objectsOf(message.content), (part, place) => {
      const url = isObject(part.image_url) ? part.image_url.url : undefined;
      if (part.type !== "image_url" || typeof url !== "string" || /^https?:/.test(url)) return null;
      const param = `messages[${index}].content[${place}].image_url.url`;
      const found = /^data:image\/(?<type>[a-z.+-]+);base64,(?<data>[A-Za-z0-9+/]+={0,2})$/.exec(url)?.groups;
      if (found === undefined) return { message: "Invalid base64 image_url.", param, code: "invalid_base64" };
      if (["png", "jpeg", "gif", "webp"].includes(found.type ?? "")) return null;
      const text =
        "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].";
      return { message: text, param, code: "image_parse_error" };
    }),
  );
