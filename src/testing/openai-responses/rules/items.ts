import { firstRefusal } from "../../openai-chat/rules/request-view.ts";
import { itemsOf, missing, type ResponsesRule, unknownParameter, unsupportedValue } from "./request-view.ts";

const itemTypes: readonly string[] = (
  "additional_tools agent_message apply_patch_call apply_patch_call_output code_interpreter_call compaction " +
  "compaction_trigger computer_call computer_call_output custom_tool_call custom_tool_call_output file_search_call " +
  "function_call function_call_output image_generation_call item_reference local_shell_call local_shell_call_output " +
  "mcp_approval_request mcp_approval_response mcp_call mcp_list_tools message multi_agent_call " +
  "multi_agent_call_output program program_output reasoning shell_call shell_call_output tool_search_call " +
  "tool_search_output web_search_call"
).split(" ");

/** The types of items. */
export const knownTypes: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), ({ path, item }) =>
    item.type === undefined || itemTypes.includes(String(item.type))
      ? null
      : unsupportedValue(path, item.type, itemTypes),
  );

const roles: readonly string[] = ["assistant", "system", "developer", "user"];

/** The roles of messages. */
export const messageRoles: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), ({ path, item, type }) =>
    type !== "message" || roles.includes(String(item.role)) ? null : unsupportedValue(path, item.role, roles),
  );

/** Members that an item cannot do without. */
const required: Readonly<Record<string, readonly string[]>> = {
  message: ["content"],
  function_call: ["call_id", "name", "arguments"],
  function_call_output: ["call_id", "output"],
  reasoning: ["summary"],
};

/** What an item is made of is there. */
export const requiredMembers: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), ({ path, item, type }) => {
    const absent = required[type]?.find((name) => item[name] == null);
    return absent === undefined ? null : missing(`${path}.${absent}`);
  });

const asked: readonly string[] = ["type", "role", "content", "id", "status"];
const members: Readonly<Record<string, ReadonlySet<string>>> = {
  function_call: new Set("type id call_id name arguments status caller namespace".split(" ")),
  function_call_output: new Set("type id call_id output status caller".split(" ")),
  reasoning: new Set("type id summary content encrypted_content status".split(" ")),
  assistant: new Set([...asked, "phase"]),
  user: new Set(asked),
  system: new Set(asked),
  developer: new Set(asked),
};

/** Members nobody knows. */
export const unknownMembers: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), ({ path, item, type }) => {
    const known = members[type === "message" ? String(item.role) : type];
    const unknown = Object.keys(item).find((name) => known !== undefined && !known.has(name));
    return unknown === undefined ? null : unknownParameter(`${path}.${unknown}`);
  });
