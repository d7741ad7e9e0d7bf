import { isObject } from "../../../util/own.ts";
import { isStandIn } from "../signatures.ts";
import { contentsOf, firstRefusal, type GeminiRule, heldBy, turnsOf } from "./request-view.ts";

/** From Gemini 3 on the first call of each step of the turn under way has its signature. */
export const callsSigned: GeminiRule = (request) => {
  if (!request.facts.signsCalls) return null;
  const turns = turnsOf(request);
  const begin = turns.findLastIndex(
    (turn) => turn.role === "user" && heldBy(turn, "functionResponse").length === 0,
  );
  return firstRefusal(turns.slice(begin + 1), ({ index, parts }) => {
    const [first] = parts.filter(({ functionCall }) => isObject(functionCall));
    if (first === undefined || (first.thoughtSignature ?? "") !== "") return null;
    const name = isObject(first.functionCall) ? String(first.functionCall.name) : "";
    return {
      message: `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    };
  });
};

/** A signature comes back as it was given out, to the model that gave it. */
export const signaturesSound: GeminiRule = (request) =>
  firstRefusal(contentsOf(request), ({ parts }) =>
    firstRefusal(parts, ({ thoughtSignature }) => {
      if (thoughtSignature === undefined) return null;
      const given = String(thoughtSignature);
      if (request.facts.signsCalls && isStandIn(given)) return null;
      return request.signerOf(given) === request.model ? null : { message: "Corrupted thought signature." };
    }),
  );
