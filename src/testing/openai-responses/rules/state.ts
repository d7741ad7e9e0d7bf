import { isObject } from "../../../util/own.ts";
import { isReasoningModel } from "../model-facts.ts";
import type { ResponsesRule } from "./request-view.ts";

/** Nothing is stored here: no earlier response can be gone on with. */
export const previousResponse: ResponsesRule = ({ previous_response_id: id }) => {
  if (id == null) return null;
  return {
    message: `Previous response with id '${String(id)}' not found.`,
    param: "previous_response_id",
    code: "previous_response_not_found",
  };
};

/** There is something to answer. */
export const someInput: ResponsesRule = ({ input }) => {
  if (input !== "" && !(Array.isArray(input) && input.length === 0)) return null;
  return {
    message: `One of "input" or "previous_response_id" or 'prompt' or 'conversation' must be provided.`,
    code: "missing_required_parameter",
  };
};

/** Only a model that reasons gives its reasoning out. */
export const encryptedReasoning: ResponsesRule = ({ model, include }) => {
  const asked = Array.isArray(include) && include.includes("reasoning.encrypted_content");
  if (!asked || isReasoningModel(model)) return null;
  return { message: "Encrypted content is not supported with this model.", param: "include" };
};

/** Only a model that reasons can be told how. */
export const reasoningSettings: ResponsesRule = ({ model, reasoning }) => {
  if (!isObject(reasoning) || isReasoningModel(model)) return null;
  const name = Object.keys(reasoning).find((key) => reasoning[key] != null);
  if (name === undefined) return null;
  return {
    message: `Unsupported parameter: 'reasoning.${name}' is not supported with this model.`,
    param: `reasoning.${name}`,
    code: "unsupported_parameter",
  };
};

/** A model that reasons takes no sampling. */
export const samplingSettings: ResponsesRule = (request) => {
  if (!isReasoningModel(request.model)) return null;
  const name = ["temperature", "top_p"].find((key) => request[key] != null && request[key] !== 1);
  if (name === undefined) return null;
  return { message: `Unsupported parameter: '${name}' is not supported with this model.`, param: name };
};
