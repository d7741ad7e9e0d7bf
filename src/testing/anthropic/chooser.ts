import { objectIn } from "../wire-server/object-in.ts";
import { objectsOf, type WireObject } from "./rules/request-view.ts";
import type { SimulatedTurn } from "./turns.ts";

/**
 * A model made of rules, for programs that need an answer and no script: a message that names a tool (with or without
 * its prefix) calls it, with the first JSON object of the message as arguments; results are repeated as text; anything
 * else is answered with its own words.
 */
export function chooseTurn(request: WireObject): SimulatedTurn {
  const last = objectsOf(request.messages).at(-1);
  const blocks = typeof last?.content === "string" ? [] : objectsOf(last?.content);
  const results = blocks.filter((block) => block.type === "tool_result");
  if (results.length > 0) {
    return { content: [{ type: "text", text: `The tools answered: ${results.map(textOf).join("; ")}` }] };
  }
  const text =
    typeof last?.content === "string" ? last.content : blocks.map((block) => block.text ?? "").join("\n");
  const words = new Set(text.match(/[A-Za-z0-9_-]+/g) ?? []);
  const named = objectsOf(request.tools).find(({ name }) => {
    const alias = String(name);
    return words.has(alias) || words.has(alias.slice(alias.indexOf("__") + 2));
  });
  if (named === undefined) return { content: [{ type: "text", text: `You said: ${text}` }] };
  return { content: [{ type: "tool_use", name: named.name, input: objectIn(text) }] };
}

function textOf(result: WireObject): string {
  if (typeof result.content === "string") return result.content;
  return objectsOf(result.content)
    .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
    .join(" ");
}
