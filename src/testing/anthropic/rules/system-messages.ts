import { firstRefusal, hasBeta, objectsOf, type Rule, type WireObject } from "./request-view.ts";

const exception = "; the directive-only form (content: [] with output_config) is accepted at any position";

/** Rule 35: not every model takes instructions in the middle of a conversation. */
export const systemMessagesSupported: Rule = (request, { model }) =>
  model.systemMessages || systemMessages(request).length === 0
    ? null
    : "role 'system' is not supported on this model";

/** Rule 35: the instructions at the beginning are no message. */
export const systemNotFirst: Rule = (request) =>
  objectsOf(request.messages)[0]?.role === "system"
    ? `messages.0: use the top-level 'system' parameter for the initial system prompt${exception}`
    : null;

/** Rule 35: instructions follow what the user said, or a result of a tool of the API's own. */
export const systemFollows: Rule = (request) =>
  firstRefusal(systemMessages(request), ({ index, messages }) => {
    const before = messages[index - 1];
    if (before === undefined || before.role === "system" || before.role === "user") return null;
    const last = objectsOf(before.content).at(-1);
    const serverResult = last !== undefined && /_tool_result$/.test(String(last.type));
    return serverResult
      ? null
      : `messages.${index}: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result${exception}`;
  });

/** Rule 35: instructions stand before the assistant's turn, or at the end. */
export const systemPrecedes: Rule = (request) =>
  firstRefusal(systemMessages(request), ({ index, messages }) =>
    messages[index + 1] !== undefined && messages[index + 1]?.role === "user"
      ? `messages.${index}: role 'system' must precede an 'assistant' message or end the array${exception}`
      : null,
  );

/** Rule 35: instructions are text; with their beta also changes of the tools. */
export const systemBlocks: Rule = (request, context) => {
  const changes = hasBeta(context, "mid-conversation-tool-changes-") || hasBeta(context, "inline-tools-");
  const allowed = new Set(changes ? ["text", "tool_addition", "tool_removal"] : ["text"]);
  const named = changes ? "text, tool_addition and tool_removal" : "text";
  return firstRefusal(systemMessages(request), ({ index, messages }) =>
    objectsOf(messages[index]?.content).every((block) => allowed.has(String(block.type)))
      ? null
      : `messages.${index}: role 'system' supports ${named} blocks only`,
  );
};

function systemMessages(request: WireObject): { readonly index: number; readonly messages: WireObject[] }[] {
  const messages = objectsOf(request.messages);
  return messages.flatMap(({ role }, index) => (role === "system" ? [{ index, messages }] : []));
}
