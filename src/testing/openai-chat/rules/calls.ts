import { isObject } from "../../../util/own.ts";
import type { ChatServerKind } from "../server-kind.ts";
import {
  badPattern,
  type ChatRule,
  callsOf,
  emptyArray,
  firstRefusal,
  objectsOf,
  tooLong,
  wrongType,
} from "./request-view.ts";

const longestId = 40;
const longestName = 64;
const namePattern = /^[a-zA-Z0-9_-]+$/;

/** A list of calls is not empty. */
export const someCalls: ChatRule = ({ messages }) =>
  firstRefusal(objectsOf(messages), ({ tool_calls: calls }, index) =>
    Array.isArray(calls) && calls.length === 0 ? emptyArray(`messages[${index}].tool_calls`) : null,
  );

/** A call has an id, its type, a function with a name, and arguments as text. */
export const callShapes: ChatRule = (request) =>
  firstRefusal(callsOf(request), ({ path, call, target }) => {
    const missing = (name: string) => ({
      message: `Missing required parameter: '${path}.${name}'.`,
      param: `${path}.${name}`,
      code: "missing_required_parameter",
    });
    if (call.id === undefined) return missing("id");
    if (typeof call.id !== "string") return wrongType(`${path}.id`, "a string", call.id);
    if (call.type === undefined) return missing("type");
    if (!isObject(call.function)) return missing("function");
    if (target.arguments === undefined) return missing("function.arguments");
    return typeof target.name === "string" ? null : missing("function.name");
  });

/** Arguments are text, never an object. */
export const argumentsAreText: ChatRule = (request) =>
  firstRefusal(callsOf(request), ({ path, target }) =>
    target.arguments === undefined || typeof target.arguments === "string"
      ? null
      : wrongType(`${path}.function.arguments`, "a string", target.arguments),
  );

/** Ids of calls are short at OpenAI, and at those who hand requests on to it. */
export const shortIds: ChatRule = (request, kind) => {
  if (kind !== "openai" && kind !== "openrouter") return null;
  const calls = firstRefusal(callsOf(request), ({ path, call }) =>
    String(call.id).length > longestId ? tooLong(`${path}.id`, longestId, String(call.id).length) : null,
  );
  if (calls !== null) return calls;
  return firstRefusal(objectsOf(request.messages), ({ tool_call_id: id }, index) =>
    typeof id === "string" && id.length > longestId
      ? tooLong(`messages[${index}].tool_call_id`, longestId, id.length)
      : null,
  );
};

/** The name of a function that was called. */
export const calledNames: ChatRule = (request) =>
  firstRefusal(callsOf(request), ({ path, target }) => {
    const name = String(target.name);
    if (name.length > longestName) return tooLong(`${path}.function.name`, longestName, name.length);
    return namePattern.test(name) ? null : badPattern(`${path}.function.name`, namePattern.source);
  });

/** Servers that read the arguments of stored calls into a template. */
const readingArguments: Readonly<Partial<Record<ChatServerKind, string>>> = {
  ollama: "invalid tool call arguments",
  llamacpp: "Failed to parse tool call arguments as JSON",
  lmstudio: "Failed to parse tool call arguments as JSON",
  vllm: "Expecting value: line 1 column 1 (char 0)",
};

/** Arguments of stored calls are JSON objects where they are read. */
export const argumentsAreObjects: ChatRule = (request, kind) => {
  const message = readingArguments[kind];
  if (message === undefined) return null;
  return firstRefusal(callsOf(request), ({ target }) =>
    isObjectText(target.arguments) ? null : { message },
  );
};

function isObjectText(value: unknown): boolean {
  try {
    return isObject(JSON.parse(String(value)));
  } catch {
    return false;
  }
}
