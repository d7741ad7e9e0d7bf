import type { WireObject } from "../wire-server/api.ts";
import { objectIn } from "../wire-server/object-in.ts";
import { functionsOf, objectsOf } from "./rules/request-view.ts";
import type { SimulatedChatTurn } from "./turns.ts";

/**
 * A model made of rules, for programs that need an answer and no script: a message that names a tool (with or without
 * its prefix) calls it, with the first JSON object of the message as arguments; results are repeated as text; anything
 * else is answered with its own words.
 */
export function chooseChatTurn(request: WireObject): SimulatedChatTurn {
  const messages = objectsOf(request.messages);
  const lastTurn = messages.findLastIndex(({ role }) => role === "assistant");
  const results = messages.slice(lastTurn + 1).filter(({ role }) => role === "tool");
  if (results.length > 0) return { content: `The tools answered: ${results.map(textOf).join("; ")}` };
  const text = textOf(messages.at(-1) ?? {});
  const words = new Set(text.match(/[A-Za-z0-9_-]+/g) ?? []);
  const named = functionsOf(request).find(
    ({ name }) => words.has(name) || words.has(name.slice(name.indexOf("__") + 2)),
  );
  if (named === undefined) return { content: `You said: ${text}` };
  return { tool_calls: [{ name: named.name, arguments: objectIn(text) }] };
}

function textOf({ content }: WireObject): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .map((part) => (part.type === "text" ? String(part.text) : `[${String(part.type)}]`))
    .join(" ");
}
