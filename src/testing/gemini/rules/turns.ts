import type { WireObject } from "../../wire-server/api.ts";
import {
  contentsOf,
  fieldProblem,
  firstRefusal,
  type GeminiRefusal,
  type GeminiRule,
  heldBy,
  turnsOf,
} from "./request-view.ts";

/** Calls are the model's, and stand behind a turn of the user. */
export const callTurns: GeminiRule = (request) => {
  const turns = turnsOf(request);
  return firstRefusal(turns, (turn, index) => {
    if (heldBy(turn, "functionCall").length === 0) return null;
    return turn.role === "model" && turns[index - 1]?.role === "user"
      ? null
      : {
          message:
            "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
        };
  });
};

/** Responses are the user's, and stand directly behind calls. */
export const responseTurns: GeminiRule = (request) => {
  const turns = turnsOf(request);
  return firstRefusal(turns, (turn, index) => {
    if (heldBy(turn, "functionResponse").length === 0) return null;
    const before = turns[index - 1];
    const calls = before === undefined ? [] : heldBy(before, "functionCall");
    return turn.role === "user" && calls.length > 0
      ? null
      : {
          message: "Please ensure that function response turn comes immediately after a function call turn.",
        };
  });
};

/** As many responses as calls, in the next turn. */
export const responseCounts: GeminiRule = (request) => {
  const turns = turnsOf(request);
  return firstRefusal(turns, (turn, index) => {
    const calls = heldBy(turn, "functionCall");
    const next = turns[index + 1];
    const responses = next === undefined ? [] : heldBy(next, "functionResponse");
    return calls.length === responses.length || calls.length === 0
      ? null
      : {
          message:
            "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
        };
  });
};

/** A response answers a call of the turn before it: by its id when both have one, and by its name. */
export const responseMatches: GeminiRule = (request) => {
  const turns = turnsOf(request);
  return firstRefusal(turns, (turn, index): GeminiRefusal | null => {
    const before = turns[index - 1];
    const open = before === undefined ? [] : heldBy(before, "functionCall");
    return firstRefusal(heldBy(turn, "functionResponse"), (response) => {
      const at = open.findIndex((call) => answers(response, call));
      if (at !== -1) open.splice(at, 1);
      return at === -1
        ? { message: `The function response "${String(response.name)}" does not match a function call.` }
        : null;
    });
  });
};

function answers(response: WireObject, call: WireObject): boolean {
  if (response.name !== call.name) return false;
  return response.id === undefined || call.id === undefined || response.id === call.id;
}

/** Calls and responses name their function. */
export const functionNames: GeminiRule = (request) =>
  firstRefusal(contentsOf(request), ({ index, parts }) =>
    firstRefusal(parts, (part, place) => {
      for (const [field, words] of named) {
        const held = part[field] as WireObject | undefined;
        if (held === undefined || (typeof held.name === "string" && held.name !== "")) continue;
        return fieldProblem(`contents[${index}].parts[${place}].${words}.name`, "Name cannot be empty.");
      }
      return null;
    }),
  );

const named: readonly (readonly [field: string, words: string])[] = [
  ["functionCall", "function_call"],
  ["functionResponse", "function_response"],
];

/** A reference inside of a response names one of its parts: a tool's own JSON may not hold `$ref`. */
export const responseReferences: GeminiRule = (request) =>
  firstRefusal(contentsOf(request), (content) =>
    firstRefusal(heldBy(content, "functionResponse"), ({ response, parts }) => {
      const names = new Set(
        (Array.isArray(parts) ? parts : []).map((part: WireObject) =>
          String((part.inlineData as WireObject | undefined)?.displayName),
        ),
      );
      const lost = referencesIn(response).find((name) => !names.has(name));
      if (lost === undefined) return null;
      return {
        message: `The referenced name \`${lost}\` in function_response.response does not match to a display_name in the function_response.parts.`,
      };
    }),
  );

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === "$ref" && typeof member === "string" ? [member] : referencesIn(member),
  );
}
