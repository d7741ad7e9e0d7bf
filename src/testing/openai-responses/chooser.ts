import { objectsOf } from "../openai-chat/rules/request-view.ts";
import type { WireObject } from "../wire-server/api.ts";
import { objectIn } from "../wire-server/object-in.ts";
import type { SimulatedResponseTurn } from "./turns.ts";

/**
 * A model made of rules, for programs that need an answer and no script: a message that names a tool (with or without
 * its prefix) calls it, with the first JSON object of the message as arguments; results are repeated as text; anything
 * else is answered with its own words.
 */
export function chooseResponseTurn(request: WireObject): SimulatedResponseTurn {
  const { input } = request;
  const items = typeof input === "string" ? [{ role: "user", content: input }] : objectsOf(input);
  const lastCall = items.findLastIndex(({ type, role }) => type === "function_call" || role === "assistant");
  const results = items.slice(lastCall + 1).filter(({ type }) => type === "function_call_output");
  if (results.length > 0) {
    const answers = results.map(({ output }) => textOf(output));
    return { output: [{ type: "message", text: `The tools answered: ${answers.join("; ")}` }] };
  }
  const text = textOf(items.at(-1)?.content);
  const words = new Set(text.match(/[A-Za-z0-9_-]+/g) ?? []);
  const named = objectsOf(request.tools)
    .map(({ name }) => String(name))
    .find((name) => words.has(name) || words.has(name.slice(name.indexOf("__") + 2)));
  if (named === undefined) return { output: [{ type: "message", text: `You said: ${text}` }] };
  return { output: [{ type: "function_call", name: named, arguments: objectIn(text) }] };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((part) => (typeof part.text === "string" ? part.text : `[${String(part.type)}]`))
    .join(" ");
}
