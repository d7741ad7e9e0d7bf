import { firstRefusal, tooLong, wrongType } from "../../openai-chat/rules/request-view.ts";
import { itemsOf, type PlacedItem, type ResponsesRule } from "./request-view.ts";

interface PlacedId extends PlacedItem {
  readonly id: string;
}

function idsOf(request: Parameters<ResponsesRule>[0]): PlacedId[] {
  return itemsOf(request).flatMap((placed) =>
    typeof placed.item.id === "string" ? [{ ...placed, id: placed.item.id }] : [],
  );
}

/** Ids are texts, or left out. */
export const idTexts: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), ({ path, item: { id } }) =>
    id == null || typeof id === "string" ? null : wrongType(`${path}.id`, "a string", id),
  );

const longestId = 64;

/** Ids are short. */
export const shortItemIds: ResponsesRule = (request) =>
  firstRefusal(idsOf(request), ({ path, id }) =>
    id.length > longestId ? tooLong(`${path}.id`, longestId, id.length) : null,
  );

/** The characters of ids. A separator at the end is refused with the same words. */
export const idCharacters: ResponsesRule = (request) =>
  firstRefusal(idsOf(request), ({ path, id }) => {
    if (/^[A-Za-z0-9_-]*[A-Za-z0-9]$/.test(id)) return null;
    return {
      message: `Invalid '${path}.id': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`,
      param: `${path}.id`,
      code: "invalid_value",
    };
  });

const prefixes: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  reasoning: "rs",
};

/** An id says what kind of item it is of. */
export const idPrefixes: ResponsesRule = (request) =>
  firstRefusal(idsOf(request), ({ path, id, type }) => {
    const prefix = prefixes[type];
    if (prefix === undefined || id.startsWith(prefix)) return null;
    return {
      message: `Invalid '${path}.id': '${id}'. Expected an ID that begins with '${prefix}'.`,
      param: `${path}.id`,
      code: "invalid_value",
    };
  });

/** No item is there twice. */
export const uniqueItems: ResponsesRule = (request) => {
  const seen = new Set<string>();
  return firstRefusal(idsOf(request), ({ id, type }) => {
    if (type === "item_reference" || !seen.has(id)) {
      seen.add(id);
      return null;
    }
    return {
      message: `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
      param: "input",
    };
  });
};
