import { isObject } from "../../util/own.ts";
import type { WireObject } from "../wire-server/api.ts";
import { objectIn } from "../wire-server/object-in.ts";
import { parseMessages } from "./parse-messages.ts";
import { objectsOf } from "./rules/request-view.ts";
import type { SimulatedGeminiTurn } from "./turns.ts";

/**
 * A model made of rules, for programs that need an answer and no script: a message that names a tool (with or without
 * its prefix) calls it, with the first JSON object of the message as arguments; responses are repeated as text;
 * anything else is answered with its own words.
 */
export function chooseGeminiTurn(request: WireObject): SimulatedGeminiTurn {
  const { body } = parseMessages(request);
  const parts = objectsOf(objectsOf(body.contents).at(-1)?.parts);
  const responses = parts.flatMap(({ functionResponse }) =>
    isObject(functionResponse) ? [functionResponse] : [],
  );
  if (responses.length > 0) {
    const told = responses.map(({ response }) => JSON.stringify(response)).join("; ");
    return { parts: [{ text: `The tools answered: ${told}` }] };
  }
  const text = parts.map((part) => (typeof part.text === "string" ? part.text : "[media]")).join(" ");
  const words = new Set(text.match(/[A-Za-z0-9_.:-]+/g) ?? []);
  const names = objectsOf(body.tools)
    .flatMap((tool) => objectsOf(tool.functionDeclarations))
    .map(({ name }) => String(name));
  const named = names.find((name) => words.has(name) || words.has(name.slice(name.indexOf("__") + 2)));
  if (named === undefined) return { parts: [{ text: `You said: ${text}` }] };
  return { parts: [{ functionCall: { name: named, args: objectIn(text) } }] };
}
