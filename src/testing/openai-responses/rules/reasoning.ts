import { firstRefusal, type RuleRefusal } from "../../openai-chat/rules/request-view.ts";
import { itemsOf, type PlacedItem, type ResponsesRule } from "./request-view.ts";

function reasoningOf(request: Parameters<ResponsesRule>[0]): PlacedItem[] {
  return itemsOf(request).filter(({ type }) => type === "reasoning");
}

function notStored(id: unknown): RuleRefusal {
  return {
    message: `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    param: "input",
    status: 404,
  };
}

/** Nothing is stored here: reasoning without its encrypted content is not found, nor is what is only referred to. */
export const itemsAreWhole: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), ({ item, type }) => {
    if (type === "item_reference") return notStored(item.id);
    const isEmpty = typeof item.encrypted_content !== "string" || item.encrypted_content === "";
    return type === "reasoning" && isEmpty ? notStored(item.id) : null;
  });

/** Encrypted content is what the API gave out. */
export const encryptedContent: ResponsesRule = (request, { issued }) =>
  issued === null
    ? null
    : firstRefusal(reasoningOf(request), ({ item }) => {
        const content = String(item.encrypted_content);
        if (issued.knows(content)) return null;
        const shown = `${content.slice(0, 4)}...${content.slice(-4)}`;
        return {
          message: `The encrypted content ${shown} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
          code: "invalid_encrypted_content",
        };
      });

/** Reasoning stands directly in front of what it led to. */
export const reasoningLeads: ResponsesRule = (request) => {
  const items = itemsOf(request);
  return firstRefusal(items, ({ item, type }, index) => {
    if (type !== "reasoning" || item.id == null) return null;
    const next = items[index + 1];
    const follows =
      next !== undefined &&
      (next.type === "function_call" || (next.type === "message" && next.item.role === "assistant"));
    if (follows) return null;
    return {
      message: `Item '${String(item.id)}' of type 'reasoning' was provided without its required following item.`,
      param: "input",
    };
  });
};

/** What reasoning led to comes with it. */
export const reasoningThere: ResponsesRule = (request, { issued }) => {
  if (issued === null) return null;
  const items = itemsOf(request);
  return firstRefusal(items, ({ item, type }, index) => {
    if (typeof item.id !== "string") return null;
    const needed = issued.reasoningOf(item.id);
    if (needed === null || items[index - 1]?.item.id === needed) return null;
    return {
      message: `Item '${item.id}' of type '${type}' was provided without its required 'reasoning' item: '${needed}'.`,
      param: "input",
    };
  });
};
