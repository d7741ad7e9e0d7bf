import { isObject } from "../../../util/own.ts";
import {
  blocksOf,
  type DetailedRefusal,
  firstRefusal,
  hasBeta,
  objectsOf,
  type Rule,
} from "./request-view.ts";

/** Rule 38: a change of the tools in the middle refers to a tool that the conversation knows at that place. */
export const changesKnown: Rule = (request) => {
  const known = new Set(objectsOf(request.tools).map((tool) => String(tool.name)));
  return firstRefusal(blocksOf(request), ({ path, role, block }): DetailedRefusal | null => {
    if (role !== "system" || !isObject(block.tool)) return null;
    const { type, name, definition } = block.tool;
    if (type === "tool_definition" && isObject(definition)) known.add(String(definition.name));
    if (type !== "tool_reference" || known.has(String(name))) return null;
    return {
      message: `${path}.tool: Tool '${name}' is not defined at this position in the conversation.`,
      details: { error_code: "tool_reference_unresolved" },
    };
  });
};

/** Rule 38: a tool that is defined in the middle takes no name that an available tool of another kind holds. */
export const changesWithoutClash: Rule = (request) => {
  const kinds = new Map(objectsOf(request.tools).map((tool) => [String(tool.name), kindOf(tool.type)]));
  return firstRefusal(blocksOf(request), ({ path, role, block }): DetailedRefusal | null => {
    if (role !== "system" || !isObject(block.tool)) return null;
    const { definition, name } = block.tool;
    if (block.type === "tool_removal") kinds.delete(String(name));
    if (block.type !== "tool_addition" || !isObject(definition)) return null;
    const kind = kinds.get(String(definition.name));
    kinds.set(String(definition.name), kindOf(definition.type));
    if (kind === undefined || kind === kindOf(definition.type)) return null;
    return {
      message: `${path}.tool.definition: The name '${definition.name}' is already held by an available tool of another kind.`,
      details: { error_code: "tool_name_conflict" },
    };
  });
};

/** Rule 38: a tool is defined in the middle only with the beta for it. */
export const definitionsNeedBeta: Rule = (request, context) =>
  firstRefusal(blocksOf(request), ({ path, role, block }) =>
    role === "system" &&
    isObject(block.tool) &&
    block.tool.type === "tool_definition" &&
    !hasBeta(context, "inline-tools-")
      ? `${path}.tool_addition.tool: Input tag 'tool_definition' found using 'type' does not match any of the expected tags`
      : null,
  );

function kindOf(type: unknown): string {
  return type === undefined || type === null ? "custom" : String(type);
}
