import { isObject } from "../../../util/own.ts";
import {
  contentsOf,
  fieldProblem,
  firstRefusal,
  type GeminiRefusal,
  type GeminiRule,
  objectsOf,
} from "./request-view.ts";

/** A conversation has a turn. */
export const someContents: GeminiRule = (request) =>
  contentsOf(request).length > 0 ? null : fieldProblem("contents", "contents is not specified");

/** A turn is the user's or the model's; a single one may leave that out. */
export const roles: GeminiRule = (request) => {
  const contents = contentsOf(request);
  return firstRefusal(contents, ({ role }) => {
    const fits = role === "user" || role === "model" || (role === undefined && contents.length === 1);
    return fits ? null : { message: "Please use a valid role: user, model." };
  });
};

/** A turn has a part. */
export const someParts: GeminiRule = (request) =>
  firstRefusal(contentsOf(request), ({ index, parts }) =>
    parts.length > 0 ? null : fieldProblem(`contents[${index}].parts`, "contents.parts must not be empty."),
  );

/** Fields of which a part holds one. */
const holders: readonly string[] = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
];

/** Every part holds something; a thought signature may stand for it in a turn of the model. */
export const heldData: GeminiRule = (request) =>
  firstRefusal(contentsOf(request), ({ index, parts }) =>
    firstRefusal(parts, (part, place) =>
      holders.some((name) => part[name] !== undefined) || part.thoughtSignature !== undefined
        ? null
        : fieldProblem(
            `contents[${index}].parts[${place}].data`,
            "required oneof field 'data' must have one initialized field",
          ),
    ),
  );

/** No part holds two things. */
export const singleData: GeminiRule = (request) =>
  firstRefusal(contentsOf(request), ({ index, parts }) =>
    firstRefusal(parts, (part, place) => {
      const [, second] = holders.filter((name) => part[name] !== undefined);
      if (second === undefined) return null;
      return {
        message: `Invalid value at 'contents[${index}].parts[${place}]' (oneof), oneof field 'data' is already set. Cannot set '${second}'`,
      };
    }),
  );

/** The system's instruction is text, and there is some. */
export const systemText: GeminiRule = ({ body }): GeminiRefusal | null => {
  const { systemInstruction } = body;
  if (!isObject(systemInstruction)) return null;
  const parts = objectsOf(systemInstruction.parts);
  if (parts.length === 0)
    return fieldProblem("system_instruction.parts", "contents.parts must not be empty.");
  return parts.every(({ text }) => typeof text === "string")
    ? null
    : { message: "Developer instruction must be text." };
};
