import { createIssuedItems } from "../../../src/testing/openai-responses/issued-items.ts";
import * as calls from "../../../src/testing/openai-responses/rules/calls.ts";
import * as ids from "../../../src/testing/openai-responses/rules/ids.ts";
import * as items from "../../../src/testing/openai-responses/rules/items.ts";
import * as replay from "../../../src/testing/openai-responses/rules/reasoning.ts";
import { body, call, output, type RuleCase, reasoning, said, talk, user, without } from "./bodies.ts";

const tooLong = (param: string, most: number): string =>
  `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length ${most + 1} instead.`;
const named = (id: string) => ({ ...said, id });

export const itemCases: readonly RuleCase[] = [
  {
    rule: items.knownTypes,
    refused: talk({ type: "tool_result" }),
    message:
      "Invalid value: 'tool_result'. Supported values are: 'additional_tools', 'agent_message', 'apply_patch_call', 'apply_patch_call_output', 'code_interpreter_call', 'compaction', 'compaction_trigger', 'computer_call', 'computer_call_output', 'custom_tool_call', 'custom_tool_call_output', 'file_search_call', 'function_call', 'function_call_output', 'image_generation_call', 'item_reference', 'local_shell_call', 'local_shell_call_output', 'mcp_approval_request', 'mcp_approval_response', 'mcp_call', 'mcp_list_tools', 'message', 'multi_agent_call', 'multi_agent_call_output', 'program', 'program_output', 'reasoning', 'shell_call', 'shell_call_output', 'tool_search_call', 'tool_search_output', and 'web_search_call'.",
    param: "input[1]",
    code: "invalid_value",
    accepted: talk({ type: "web_search_call", id: "ws_1" }),
  },
  {
    rule: items.messageRoles,
    refused: talk({ role: "tool", content: "ok" }),
    message: "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    param: "input[1]",
    accepted: talk({ role: "developer", content: "ok" }),
  },
  {
    rule: items.requiredMembers,
    refused: talk({ role: "user" }),
    message: "Missing required parameter: 'input[1].content'.",
    code: "missing_required_parameter",
    accepted: talk({ role: "user", content: "" }),
  },
  {
    rule: items.requiredMembers,
    refused: talk(without(reasoning(), "summary"), said),
    message: "Missing required parameter: 'input[1].summary'.",
    accepted: talk(reasoning(), said),
  },
  {
    rule: items.requiredMembers,
    refused: talk(call(), without(output(), "output")),
    message: "Missing required parameter: 'input[2].output'.",
    accepted: talk(call(), output({ output: "" })),
  },
  {
    rule: items.unknownMembers,
    refused: talk({ ...user, phase: "final_answer" }),
    message: "Unknown parameter: 'input[1].phase'.",
    param: "input[1].phase",
    code: "unknown_parameter",
    accepted: talk({ ...said, phase: "final_answer" }),
  },
  {
    rule: items.unknownMembers,
    refused: talk(call(), output({ is_error: true })),
    message: "Unknown parameter: 'input[2].is_error'.",
    accepted: talk(call(), output({ status: "completed" })),
  },
];

export const callCases: readonly RuleCase[] = [
  {
    rule: calls.callTexts,
    refused: talk(call({ arguments: {} }), output()),
    message: "Invalid type for 'input[1].arguments': expected a string, but got an object instead.",
    code: "invalid_type",
    accepted: talk(call({ arguments: "no json" }), output()),
  },
  {
    rule: calls.callIds,
    refused: talk(call({ call_id: "c".repeat(65) }), output({ call_id: "c".repeat(65) })),
    message: tooLong("input[1].call_id", 64),
    code: "string_above_max_length",
    accepted: talk(call({ call_id: "c".repeat(64) }), output({ call_id: "c".repeat(64) })),
  },
  {
    rule: calls.callIds,
    refused: talk(call({ call_id: "" }), output({ call_id: "" })),
    message:
      "Invalid 'input[1].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    code: "empty_string",
    accepted: talk(call({ call_id: "1" }), output({ call_id: "1" })),
  },
  {
    rule: calls.calledNames,
    refused: talk(call({ name: "files.read" }), output()),
    message:
      "Invalid 'input[1].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    code: "invalid_value",
    accepted: talk(call({ name: "files_read" }), output()),
  },
  {
    rule: calls.calledNames,
    refused: talk(call({ name: "n".repeat(65) }), output()),
    message: tooLong("input[1].name", 64),
    accepted: talk(call({ name: "n".repeat(64) }), output()),
  },
  {
    rule: calls.outputsHaveCalls,
    refused: talk(output()),
    message: "No tool call found for function call output with call_id call_1.",
    param: "input",
    accepted: talk(call(), output()),
  },
  {
    rule: calls.outputsHaveCalls,
    refused: talk(call(), output(), output()),
    message: "No tool call found for function call output with call_id call_1.",
    accepted: talk(call(), output(), user),
  },
  {
    rule: calls.callsAnswered,
    refused: talk(call(), call({ call_id: "call_2" }), output()),
    message: "No tool output found for function call call_2.",
    param: "input",
    accepted: talk(call(), call({ call_id: "call_2" }), user, output({ call_id: "call_2" }), output()),
  },
];

export const idCases: readonly RuleCase[] = [
  {
    rule: ids.idTexts,
    refused: talk({ ...said, id: 7 }),
    message: "Invalid type for 'input[1].id': expected a string, but got an integer instead.",
    accepted: talk({ ...said, id: null }),
  },
  {
    rule: ids.shortItemIds,
    refused: talk(named(`msg_${"a".repeat(61)}`)),
    message: tooLong("input[1].id", 64),
    accepted: talk(named(`msg_${"a".repeat(60)}`)),
  },
  {
    rule: ids.idCharacters,
    refused: talk(named("msg_a:1")),
    message:
      "Invalid 'input[1].id': 'msg_a:1'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
    accepted: talk(named("msg_a-1")),
  },
  {
    rule: ids.idCharacters,
    refused: talk(call({ id: "fc_abc_" }), output()),
    message:
      "Invalid 'input[1].id': 'fc_abc_'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
    accepted: talk(call({ id: "fc__abc" }), output()),
  },
  {
    rule: ids.idPrefixes,
    refused: talk(call({ id: "call_1" }), output()),
    message: "Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'.",
    code: "invalid_value",
    accepted: talk(call({ id: "fc_1" }), output()),
  },
  {
    rule: ids.uniqueItems,
    refused: talk(named("msg_1"), named("msg_1")),
    message: "Duplicate item found with id msg_1. Remove duplicate items from your input and try again.",
    accepted: talk(named("msg_1"), named("msg_2")),
  },
];

const issued = createIssuedItems();
/** What the API answered with: reasoning, and the call that it led to. */
const thought = reasoning({ id: "rs_a", encrypted_content: issued.encrypt("rs_a") });
const led = call({ id: "fc_a" });
issued.issue([thought, led]);
const settings = { issued };
const scripted = reasoning({ id: "rs_b", encrypted_content: "given by the script" });
issued.issue([scripted]);

/** What of the reasoning comes back, and where. */
export const reasoningCases: readonly RuleCase[] = [
  {
    rule: replay.itemsAreWhole,
    refused: talk(reasoning({ encrypted_content: null }), said),
    message:
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    status: 404,
    param: "input",
    accepted: talk(reasoning(), said),
  },
  {
    rule: replay.itemsAreWhole,
    refused: talk({ type: "item_reference", id: "fc_1" }),
    message:
      "Item with id 'fc_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    status: 404,
    accepted: talk(call({ id: "fc_1" }), output()),
  },
  {
    rule: replay.encryptedContent,
    refused: talk({ ...thought, encrypted_content: `${String(thought.encrypted_content)}0` }, led, output()),
    message: `The encrypted content gAAA...${String(thought.encrypted_content).slice(-3)}0 could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
    code: "invalid_encrypted_content",
    accepted: talk(thought, led, output()),
    settings,
  },
  {
    rule: replay.encryptedContent,
    refused: talk({ ...scripted, encrypted_content: "made up by nobody" }, said),
    message:
      "The encrypted content made...body could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
    accepted: talk(scripted, said),
    settings,
  },
  {
    rule: replay.reasoningLeads,
    refused: talk(reasoning(), user),
    message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    param: "input",
    accepted: talk(reasoning(), said),
  },
  {
    rule: replay.reasoningLeads,
    refused: talk(reasoning(), reasoning({ id: "rs_2" }), call(), output()),
    message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    accepted: talk(reasoning({ id: "rs_2" }), call(), output()),
  },
  {
    rule: replay.reasoningThere,
    refused: talk(led, output()),
    message:
      "Item 'fc_a' of type 'function_call' was provided without its required 'reasoning' item: 'rs_a'.",
    param: "input",
    accepted: talk(without(led, "id"), output()),
    settings,
  },
  {
    rule: replay.reasoningThere,
    refused: talk(thought, said, led, output()),
    message:
      "Item 'fc_a' of type 'function_call' was provided without its required 'reasoning' item: 'rs_a'.",
    accepted: body({ input: [user, said, thought, led, output()] }),
    settings,
  },
];
