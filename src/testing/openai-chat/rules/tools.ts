import { isObject } from "../../../util/own.ts";
import type { ChatServerKind } from "../server-kind.ts";
import {
  badPattern,
  type ChatRule,
  emptyArray,
  firstRefusal,
  functionsOf,
  tooLong,
  wrongType,
} from "./request-view.ts";

const mostTools = 128;
const longestName = 64;
const longestDescription = 1_024;
const namePattern = /^[a-zA-Z0-9_-]+$/;

/** Servers that count the tools. */
const counting: ReadonlySet<ChatServerKind> = new Set(["openai", "openrouter", "mistral", "deepseek"]);

/** A list of tools is not empty. */
export const someTools: ChatRule = ({ tools }) =>
  Array.isArray(tools) && tools.length === 0 ? emptyArray("tools") : null;

/** At most 128 tools. */
export const fewTools: ChatRule = ({ tools }, kind) => {
  if (!counting.has(kind) || !Array.isArray(tools) || tools.length <= mostTools) return null;
  return {
    message: `Invalid 'tools': array too long. Expected an array with maximum length ${mostTools}, but got an array with length ${tools.length} instead.`,
    param: "tools",
    code: "array_above_max_length",
  };
};

/** A tool is a function with a name. */
export const toolShapes: ChatRule = ({ tools }) =>
  firstRefusal(Array.isArray(tools) ? tools : [], (tool, index) => {
    const path = `tools[${index}]`;
    if (!isObject(tool)) return wrongType(path, "an object", tool);
    const missing = (name: string) => ({
      message: `Missing required parameter: '${path}.${name}'.`,
      param: `${path}.${name}`,
      code: "missing_required_parameter",
    });
    if (tool.type === undefined) return missing("type");
    if (tool.type !== "function") {
      const message = `Invalid value: '${String(tool.type)}'. Supported values are: 'function' and 'custom'.`;
      return tool.type === "custom" ? null : { message, param: `${path}.type`, code: "invalid_value" };
    }
    if (!isObject(tool.function)) return missing("function");
    if (tool.function.name === undefined) return missing("function.name");
    if (typeof tool.function.name !== "string") {
      return wrongType(`${path}.function.name`, "a string", tool.function.name);
    }
    const unknown = Object.keys(tool.function).find(
      (name) => !["name", "description", "parameters", "strict"].includes(name),
    );
    if (unknown === undefined) return null;
    const param = `${path}.function.${unknown}`;
    return { message: `Unknown parameter: '${param}'.`, param, code: "unknown_parameter" };
  });

/** The length of a tool's name. */
export const shortNames: ChatRule = (request) =>
  firstRefusal(functionsOf(request), ({ path, name }) =>
    name.length > longestName ? tooLong(`${path}.name`, longestName, name.length) : null,
  );

/** The characters of a tool's name. */
export const namePatterns: ChatRule = (request) =>
  firstRefusal(functionsOf(request), ({ path, name }) =>
    namePattern.test(name) ? null : badPattern(`${path}.name`, namePattern.source),
  );

/** The length of a tool's description. */
export const shortDescriptions: ChatRule = (request, kind) =>
  firstRefusal(kind === "openai" ? functionsOf(request) : [], ({ path, definition }) => {
    const { description } = definition;
    if (description === undefined) return null;
    if (typeof description !== "string") return wrongType(`${path}.description`, "a string", description);
    const { length } = [...description];
    return length > longestDescription ? tooLong(`${path}.description`, longestDescription, length) : null;
  });
