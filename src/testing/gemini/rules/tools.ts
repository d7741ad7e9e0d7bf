import { isObject } from "../../../util/own.ts";
import { fieldProblem, firstRefusal, functionsOf, type GeminiRule } from "./request-view.ts";

/** `Tool.function_declarations` of the API: at most 512. */
const mostFunctions = 512;
const namePattern = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;

/** The name of a function. */
export const functionNamePatterns: GeminiRule = (request) =>
  firstRefusal(functionsOf(request), ({ path, declaration }) =>
    namePattern.test(String(declaration.name ?? ""))
      ? null
      : fieldProblem(
          `${path}.name`,
          "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.",
        ),
  );

/** No two functions have one name. */
export const uniqueNames: GeminiRule = (request) => {
  const seen = new Set<unknown>();
  return firstRefusal(functionsOf(request), ({ declaration: { name } }) => {
    if (seen.has(name)) return { message: `Duplicate function declaration found: ${String(name)}` };
    seen.add(name);
    return null;
  });
};

/** The number of functions. */
export const fewFunctions: GeminiRule = (request) =>
  functionsOf(request).length <= mostFunctions
    ? null
    : { message: `At most ${mostFunctions} function declarations can be provided.` };

/** A function has its parameters in one form. */
export const oneParameterForm: GeminiRule = (request) =>
  firstRefusal(functionsOf(request), ({ path, declaration }) =>
    declaration.parameters === undefined || declaration.parametersJsonSchema === undefined
      ? null
      : fieldProblem(path, "parameters and parameters_json_schema are mutually exclusive."),
  );

/** The way of calling is set for functions that are there. */
export const callingNeedsFunctions: GeminiRule = (request) => {
  const { toolConfig } = request.body;
  const set = isObject(toolConfig) && toolConfig.functionCallingConfig !== undefined;
  return set && functionsOf(request).length === 0
    ? { message: "Function calling config is set without function_declarations." }
    : null;
};

/** Names are allowed where a call is forced, and are names of functions. */
export const allowedNames: GeminiRule = (request) => {
  const { toolConfig } = request.body;
  const config = isObject(toolConfig) ? toolConfig.functionCallingConfig : undefined;
  if (!isObject(config) || !Array.isArray(config.allowedFunctionNames)) return null;
  const path = "tool_config.function_calling_config.allowed_function_names";
  if (config.mode !== "ANY" && config.mode !== "VALIDATED") {
    return fieldProblem(path, "only allowed when mode is ANY.");
  }
  const names = new Set(functionsOf(request).map(({ declaration }) => declaration.name));
  return config.allowedFunctionNames.every((name) => names.has(name))
    ? null
    : fieldProblem(path, "must be names of function_declarations.");
};
