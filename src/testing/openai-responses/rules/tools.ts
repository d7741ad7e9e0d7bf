import { isObject } from "../../../util/own.ts";
import type { ChatRule } from "../../openai-chat/rules/request-view.ts";
import { firstRefusal, objectsOf, wrongType } from "../../openai-chat/rules/request-view.ts";
import * as schemas from "../../openai-chat/rules/tool-schema.ts";
import * as chat from "../../openai-chat/rules/tools.ts";
import type { WireObject } from "../../wire-server/api.ts";
import { missing, type ResponsesRule, unknownParameter } from "./request-view.ts";

const memberNames: ReadonlySet<string> = new Set(
  "type name description parameters strict allowed_callers defer_loading output_schema".split(" "),
);

/** A tool says what it is, and a function what it is called. */
export const toolShapes: ResponsesRule = ({ tools }) =>
  firstRefusal(Array.isArray(tools) ? tools : [], (tool: unknown, index) => {
    const path = `tools[${index}]`;
    if (!isObject(tool)) return wrongType(path, "an object", tool);
    if (tool.type === undefined) return missing(`${path}.type`);
    if (tool.type !== "function") return null;
    if (tool.name === undefined) return missing(`${path}.name`);
    return typeof tool.name === "string" ? null : wrongType(`${path}.name`, "a string", tool.name);
  });

/** Members nobody knows. */
export const unknownMembers: ResponsesRule = ({ tools }) =>
  firstRefusal(objectsOf(tools), (tool, index) => {
    if (tool.type !== "function") return null;
    const unknown = Object.keys(tool).find((name) => !memberNames.has(name));
    return unknown === undefined ? null : unknownParameter(`tools[${index}].${unknown}`);
  });

/** Whether arguments are held to the schema is on, off or left out. */
export const strictIsSwitch: ResponsesRule = ({ tools }) =>
  firstRefusal(objectsOf(tools), ({ strict }, index) =>
    strict == null || typeof strict === "boolean"
      ? null
      : wrongType(`tools[${index}].strict`, "a boolean", strict),
  );

/** The rule of Chat Completions, whose functions are a level deeper. */
function alsoHere(rule: ChatRule): ResponsesRule {
  return (request) => {
    const refusal = rule(nested(request), "openai");
    if (refusal === null) return null;
    const here = (text: string): string => text.replace(/(tools\[\d+\])\.function\b/, "$1");
    const { param } = refusal;
    return {
      ...refusal,
      message: here(refusal.message),
      ...(param === undefined ? {} : { param: here(param) }),
    };
  };
}

const nestings = new WeakMap<WireObject, WireObject>();

function nested(request: WireObject): WireObject {
  const known = nestings.get(request);
  if (known !== undefined) return known;
  const { tools } = request;
  const found = Array.isArray(tools)
    ? {
        ...request,
        tools: tools.map((tool: unknown) =>
          isObject(tool) && tool.type === "function" ? { type: "function", function: tool } : tool,
        ),
      }
    : request;
  nestings.set(request, found);
  return found;
}

export const fewTools: ResponsesRule = alsoHere(chat.fewTools);
export const shortNames: ResponsesRule = alsoHere(chat.shortNames);
export const namePatterns: ResponsesRule = alsoHere(chat.namePatterns);
export const rootType: ResponsesRule = alsoHere(schemas.rootType);
export const rootCombinators: ResponsesRule = alsoHere(schemas.rootCombinators);
export const objectProperties: ResponsesRule = alsoHere(schemas.objectProperties);
export const arrayItems: ResponsesRule = alsoHere(schemas.arrayItems);
export const schemaSound: ResponsesRule = alsoHere(schemas.schemaSound);
export const strictSchemas: ResponsesRule = alsoHere(schemas.strictSchemas);
