import { isObject } from "../../../util/own.ts";
import { allBlocksOf, blocksOf, firstRefusal, objectsOf, type Rule } from "./request-view.ts";

const idPattern = /^[a-zA-Z0-9_-]+$/;
const serverIdPattern = /^srvtoolu_[a-zA-Z0-9_]+$/;
const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;

/** Rule 12: the characters of ids. */
export const ids: Rule = (request) =>
  firstRefusal(blocksOf(request), ({ path, block }) => {
    const wrong = (field: string, value: unknown, pattern: RegExp): string | null =>
      pattern.test(String(value))
        ? null
        : `${path}.${block.type}.${field}: String should match pattern '${pattern.source}'`;
    if (block.type === "tool_use") return wrong("id", block.id, idPattern);
    if (block.type === "tool_result") return wrong("tool_use_id", block.tool_use_id, idPattern);
    if (block.type === "server_tool_use") return wrong("id", block.id, serverIdPattern);
    return null;
  });

/** The name in a call has the characters of a tool's name. */
export const calledNames: Rule = (request) =>
  firstRefusal(blocksOf(request), ({ path, block }) =>
    block.type !== "tool_use" || namePattern.test(String(block.name))
      ? null
      : `${path}.tool_use.name: String should match pattern '${namePattern.source}'`,
  );

/** Rule 13: the input of a call is an object. */
export const inputs: Rule = (request) =>
  firstRefusal(blocksOf(request), ({ path, block }) =>
    (block.type === "tool_use" || block.type === "server_tool_use") && !isObject(block.input)
      ? `${path}.${block.type}.input: Input should be a valid dictionary`
      : null,
  );

/** Rule 14: a result that is an error holds text only. */
export const errorResultText: Rule = (request) =>
  firstRefusal(blocksOf(request), ({ path, block }) => {
    if (block.type !== "tool_result" || block.is_error !== true) return null;
    return objectsOf(block.content).every((nested) => nested.type === "text")
      ? null
      : `${path}.tool_result: all content must be type \`text\` if \`is_error\` is true`;
  });

/** Rule 15: a result that is an error is not empty. */
export const errorResultContent: Rule = (request) =>
  firstRefusal(blocksOf(request), ({ path, block }) => {
    if (block.type !== "tool_result" || block.is_error !== true) return null;
    const { content } = block;
    const empty = content === undefined || content === "" || (Array.isArray(content) && content.length === 0);
    return empty ? `${path}.tool_result: content cannot be empty if \`is_error\` is true` : null;
  });

/** Rule 16: no empty text. */
export const emptyText: Rule = (request) => {
  if (objectsOf(request.system).some((block) => block.text === "")) {
    return "system: text content blocks must be non-empty";
  }
  return allBlocksOf(request).some(({ block }) => block.type === "text" && block.text === "")
    ? "messages: text content blocks must be non-empty"
    : null;
};

/** Rule 17: no empty message, except a last one of the assistant. */
export const emptyMessages: Rule = (request) => {
  const messages = objectsOf(request.messages);
  const empty = messages.findIndex(
    ({ content, role }, index) =>
      (content === "" || (Array.isArray(content) && content.length === 0)) &&
      !(role === "assistant" && index === messages.length - 1),
  );
  return empty === -1
    ? null
    : "messages: all messages must have non-empty content except for the optional final assistant message";
};

/** Rule 18: an empty text carries no cache breakpoint. */
export const cacheOnEmptyText: Rule = (request) =>
  firstRefusal(allBlocksOf(request), ({ path, block }) =>
    block.type === "text" && block.text === "" && isObject(block.cache_control)
      ? `${path}.text: cache_control cannot be set for empty text blocks`
      : null,
  );
