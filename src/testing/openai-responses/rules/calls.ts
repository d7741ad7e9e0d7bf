import {
  badPattern,
  firstRefusal,
  type RuleRefusal,
  tooLong,
  wrongType,
} from "../../openai-chat/rules/request-view.ts";
import { itemsOf, type PlacedItem, type ResponsesRule } from "./request-view.ts";

const longestCallId = 64;
const longestName = 64;
const namePattern = /^[a-zA-Z0-9_-]+$/;

function isCall({ type }: PlacedItem): boolean {
  return type === "function_call";
}

function answersCall({ type }: PlacedItem): boolean {
  return type === "function_call_output";
}

function emptyText(param: string): RuleRefusal {
  return {
    message: `Invalid '${param}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    param,
    code: "empty_string",
  };
}

/** Ids, names and arguments are texts. */
export const callTexts: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), (placed) => {
    if (!isCall(placed) && !answersCall(placed)) return null;
    const names = isCall(placed) ? ["call_id", "name", "arguments"] : ["call_id"];
    return firstRefusal(names, (name) =>
      typeof placed.item[name] === "string"
        ? null
        : wrongType(`${placed.path}.${name}`, "a string", placed.item[name]),
    );
  });

/** The id of a call is some, and short. */
export const callIds: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), (placed) => {
    if (!isCall(placed) && !answersCall(placed)) return null;
    const id = String(placed.item.call_id);
    if (id === "") return emptyText(`${placed.path}.call_id`);
    return id.length > longestCallId ? tooLong(`${placed.path}.call_id`, longestCallId, id.length) : null;
  });

/** The name of a function that was called. */
export const calledNames: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request).filter(isCall), ({ path, item }) => {
    const name = String(item.name);
    if (name === "") return emptyText(`${path}.name`);
    if (name.length > longestName) return tooLong(`${path}.name`, longestName, name.length);
    return namePattern.test(name) ? null : badPattern(`${path}.name`, namePattern.source);
  });

/** Every output follows the one call that it answers. */
export const outputsHaveCalls: ResponsesRule = (request) => {
  const open = new Set<string>();
  return firstRefusal(itemsOf(request), (placed) => {
    const id = String(placed.item.call_id);
    if (isCall(placed)) open.add(id);
    if (!answersCall(placed) || open.delete(id)) return null;
    return {
      message: `No tool call found for function call output with call_id ${id}.`,
      param: "input",
    };
  });
};

/** Every call has its output. */
export const callsAnswered: ResponsesRule = (request) => {
  const items = itemsOf(request);
  const answered = new Set(items.filter(answersCall).map(({ item }) => item.call_id));
  const open = items.find((placed) => isCall(placed) && !answered.has(placed.item.call_id));
  if (open === undefined) return null;
  return { message: `No tool output found for function call ${String(open.item.call_id)}.`, param: "input" };
};
