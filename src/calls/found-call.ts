import type { ToolCallBlock } from "../types/message.ts";
import { callToolAlias, searchToolAlias } from "../types/tool.ts";
import { own } from "../util/own.ts";
import { parseArguments } from "./parse-arguments.ts";

/** The call that a model means, or what is wrong with how it says it, for the model. */
export type MeantCall =
  | { readonly ok: true; readonly block: ToolCallBlock }
  | { readonly ok: false; readonly problem: string };

/**
 * The call that a model means: of a call of a found tool (`callToolAlias`) the call inside it, once, under the id of the
 * whole; any other as it is. Nothing behind this knows that it came in a wrapper.
 */
export function meantCall(block: ToolCallBlock): MeantCall {
  if (block.name !== callToolAlias) return { ok: true, block };
  const parsed = parseArguments(block.input);
  if (!parsed.ok) {
    return wrong(`The arguments of ${callToolAlias} cannot be used: ${parsed.problem}.`);
  }
  const name = own(parsed.value, "name");
  const given = own(parsed.value, "arguments") ?? {};
  if (typeof name !== "string" || name === "") {
    return wrong(`${callToolAlias} needs the "name" of a tool that ${searchToolAlias} found.`);
  }
  if (name === callToolAlias) return wrong(`${callToolAlias} calls other tools, not itself.`);
  if (Object.keys(parsed.value).some((key) => key !== "name" && key !== "arguments")) {
    return wrong(
      `${callToolAlias} takes "name" and "arguments" only: what the tool gets goes into "arguments".`,
    );
  }
  // Some models write an object as its text: that is read like the text of any call.
  const input = typeof given === "string" ? given : JSON.stringify(given);
  return { ok: true, block: { ...block, name, input } };
}

function wrong(problem: string): MeantCall {
  return { ok: false, problem };
}
