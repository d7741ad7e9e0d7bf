import { isObject } from "../../../util/own.ts";
import { objectsOf, type Rule, type WireObject } from "./request-view.ts";

const types = ["auto", "any", "tool", "none"];

/** The choice of a tool is an object of one of four types. */
export const toolChoiceShapes: Rule = ({ tool_choice: choice }) => {
  if (choice === undefined) return null;
  if (!isObject(choice)) return "tool_choice: Input should be an object";
  if (!types.includes(String(choice.type))) {
    const expected = types.map((type) => `'${type}'`).join(", ");
    return `tool_choice: Input tag '${choice.type}' found using 'type' does not match any of the expected tags: ${expected}`;
  }
  return choice.type !== "tool" || typeof choice.name === "string"
    ? null
    : "tool_choice.tool.name: Field required";
};

/** Rule 25: the tool that the model is made to use is one of the request. */
export const chosenToolKnown: Rule = (request) => {
  const choice = choiceOf(request);
  if (choice?.type !== "tool") return null;
  return objectsOf(request.tools).some((tool) => tool.name === choice.name)
    ? null
    : `Tool '${choice.name}' not found in provided tools`;
};

/** Rule 26: a model that is made to use a tool cannot think by hand before it. */
export const forcedWithoutThinking: Rule = (request) => {
  const type = choiceOf(request)?.type;
  const manual = isObject(request.thinking) && request.thinking.type === "enabled";
  return manual && (type === "any" || type === "tool")
    ? "Thinking may not be enabled when tool_choice forces tool use."
    : null;
};

function choiceOf(request: WireObject): WireObject | null {
  return isObject(request.tool_choice) ? request.tool_choice : null;
}
