import { isObject } from "../../../util/own.ts";
import { allBlocksOf, firstRefusal, objectsOf, type Rule } from "./request-view.ts";

/** Rule 22: a tool that is loaded later is no part of the prefix, so that it carries no breakpoint. */
export const deferredWithoutCache: Rule = (request) =>
  firstRefusal(objectsOf(request.tools), (tool) =>
    tool.defer_loading === true && isObject(tool.cache_control)
      ? `Tool '${tool.name}' cannot have both defer_loading=true and cache_control set. ` +
        "Tools with defer_loading cannot use prompt caching."
      : null,
  );

/** Rule 23: one tool at least is there from the start. */
export const someToolLoaded: Rule = (request) => {
  const tools = objectsOf(request.tools);
  return tools.length > 0 && tools.every((tool) => tool.defer_loading === true)
    ? "At least one tool must have defer_loading=false. All tools cannot be deferred."
    : null;
};

/** Rule 24: a reference in a tool result names a tool of the request. */
export const referencesKnown: Rule = (request) => {
  const names = new Set(objectsOf(request.tools).map((tool) => tool.name));
  return firstRefusal(allBlocksOf(request), ({ role, block }) =>
    role !== "user" || block.type !== "tool_reference" || names.has(block.tool_name)
      ? null
      : `Tool reference '${block.tool_name}' not found in available tools`,
  );
};
