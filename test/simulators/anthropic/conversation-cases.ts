import * as connector from "../../../src/testing/anthropic/rules/connector.ts";
import * as pairing from "../../../src/testing/anthropic/rules/pairing.ts";
import * as server from "../../../src/testing/anthropic/rules/server-tools.ts";
import * as system from "../../../src/testing/anthropic/rules/system-messages.ts";
import * as changes from "../../../src/testing/anthropic/rules/tool-changes.ts";
import { asking, assistant, call, type RefusalCase, request, result, text, tool, user } from "./requests.ts";

const instructions = (...content: object[]): object => ({ role: "system", content });
const either = "; the directive-only form (content: [] with output_config) is accepted at any position";

const webSearch = { type: "web_search_20250305", name: "web_search" };
const searching = { type: "server_tool_use", id: "srvtoolu_a", name: "web_search", input: {} };
const found = { type: "web_search_tool_result", tool_use_id: "srvtoolu_a", content: [] };
const withSearch = { tools: [webSearch] };

const connected = (url: string, ...toolsets: string[]): object =>
  asking({
    mcp_servers: [{ type: "url", url, name: "s" }],
    tools: toolsets.map((name) => ({ type: "mcp_toolset", mcp_server_name: name, name })),
  });
const connectorBeta = { betas: ["mcp-client-2025-11-20"] };

const changeBetas = { betas: ["mid-conversation-tool-changes-2026-07-01", "inline-tools-2026-09-15"] };
const changing = (change: object, extra = {}): object =>
  request([user(text("a")), instructions(change)], extra);
const added = (named: object): object => ({ type: "tool_addition", tool: named });
const defined = (definition: object): object => added({ type: "tool_definition", definition });
const named = (name: string): object => ({ type: "tool_reference", name });

/** Rules 31, 34 and 35: what may stand in a conversation, and where. */
const placeRules: readonly RefusalCase[] = [
  {
    rule: 31,
    name: "an answer begun",
    check: pairing.noPrefill,
    refused: request([user(text("a")), assistant(text("b"))]),
    message:
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    accepted: request([user(text("a")), assistant(text("b"))], { model: "claude-opus-4-5-20251101" }),
  },
  {
    rule: 31,
    name: "an answer at the end",
    check: pairing.noPrefill,
    refused: request([user(text("a")), assistant(text("b"))]),
    message:
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    accepted: request([user(text("a")), assistant(text("b")), user(text("c"))]),
  },
  {
    rule: 34,
    name: "a call of the API's own without its result",
    check: server.serverCallsAnswered,
    refused: request([user(text("a")), assistant(searching), user(text("b"))], withSearch),
    message:
      "messages.1: `web_search` tool use with id `srvtoolu_a` was found without a corresponding `web_search_tool_result` block",
    accepted: request([user(text("a")), assistant(searching, found), user(text("b"))], withSearch),
  },
  {
    rule: 34,
    name: "words behind the results while it waits",
    check: server.serverCallsAnswered,
    refused: request(
      [user(text("a")), assistant(searching, call("c")), user(result("c"), text("b"))],
      withSearch,
    ),
    message:
      "messages.1: `web_search` tool use with id `srvtoolu_a` was found without a corresponding `web_search_tool_result` block",
    accepted: request([user(text("a")), assistant(searching, call("c")), user(result("c"))], withSearch),
  },
  {
    rule: 34,
    name: "a paused turn without its tool",
    check: server.waitingToolsThere,
    refused: request([user(text("a")), assistant(searching)]),
    message:
      "messages.1: `web_search` tool use with id `srvtoolu_a` was found without a corresponding `web_search_tool_result` block, but no `web_search` tool was provided",
    accepted: request([user(text("a")), assistant(searching)], withSearch),
  },
  {
    rule: 35,
    name: "a model that takes none",
    check: system.systemMessagesSupported,
    refused: request([user(text("a")), instructions(text("b"))], { model: "claude-sonnet-5" }),
    message: "role 'system' is not supported on this model",
    accepted: request([user(text("a")), instructions(text("b"))], { model: "claude-opus-4-8" }),
  },
  {
    rule: 35,
    name: "first",
    check: system.systemNotFirst,
    refused: request([instructions(text("b")), assistant(text("c")), user(text("a"))]),
    message: `messages.0: use the top-level 'system' parameter for the initial system prompt${either}`,
    accepted: request([user(text("a"))], { system: [text("b")] }),
  },
  {
    rule: 35,
    name: "after words of the assistant",
    check: system.systemFollows,
    refused: request([
      user(text("a")),
      assistant(text("b")),
      instructions(text("c")),
      assistant(text("d")),
      user(text("e")),
    ]),
    message: `messages.2: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result${either}`,
    accepted: request([user(text("a")), instructions(text("c")), assistant(text("d")), user(text("e"))]),
  },
  {
    rule: 35,
    name: "before the user",
    check: system.systemPrecedes,
    refused: request([user(text("a")), instructions(text("b")), user(text("c"))]),
    message: `messages.1: role 'system' must precede an 'assistant' message or end the array${either}`,
    accepted: request([user(text("a")), user(text("c")), instructions(text("b"))]),
  },
  {
    rule: 35,
    name: "blocks",
    check: system.systemBlocks,
    refused: changing({ type: "tool_removal", tool: named("t") }, { tools: [tool()] }),
    message: "messages.1: role 'system' supports text blocks only",
    accepted: changing(text("b"), { tools: [tool()] }),
  },
];

/** Rules 37 and 38: servers of the API's own, and tools that change in the middle. */
const connectorRules: readonly RefusalCase[] = [
  {
    rule: 37,
    name: "address without TLS",
    check: connector.connectorAddresses,
    refused: connected("http://s.example/mcp", "s"),
    message: "mcp_servers.0.url: URL scheme should be 'https'",
    accepted: connected("https://s.example/mcp", "s"),
    settings: connectorBeta,
  },
  {
    rule: 37,
    name: "server without a toolset",
    check: connector.connectorReferences,
    refused: connected("https://s.example/mcp"),
    message: "mcp_servers.0: MCP server 's' must be referenced by exactly one mcp_toolset in tools. Found 0.",
    accepted: connected("https://s.example/mcp", "s"),
    settings: connectorBeta,
  },
  {
    rule: 37,
    name: "toolset without a server",
    check: connector.connectorServers,
    refused: connected("https://s.example/mcp", "s", "u"),
    message: "tools: MCP server 'u' not found in mcp_servers",
    accepted: connected("https://s.example/mcp", "s"),
    settings: connectorBeta,
  },
  {
    rule: 38,
    name: "a change of an unknown tool",
    check: changes.changesKnown,
    refused: changing(added(named("u")), { tools: [tool()] }),
    message: {
      message: "messages.1.content.0.tool: Tool 'u' is not defined at this position in the conversation.",
      details: { error_code: "tool_reference_unresolved" },
    },
    accepted: changing(added(named("t")), { tools: [tool()] }),
    settings: changeBetas,
  },
  {
    rule: 38,
    name: "a name that another kind holds",
    check: changes.changesWithoutClash,
    refused: changing(defined(tool({ name: "web_search" })), withSearch),
    message: {
      message:
        "messages.1.content.0.tool.definition: The name 'web_search' is already held by an available tool of another kind.",
      details: { error_code: "tool_name_conflict" },
    },
    accepted: changing(defined(tool({ name: "search" })), withSearch),
    settings: changeBetas,
  },
  {
    rule: 38,
    name: "a definition without its beta",
    check: changes.definitionsNeedBeta,
    refused: changing(defined(tool())),
    message:
      "messages.1.content.0.tool_addition.tool: Input tag 'tool_definition' found using 'type' does not match any of the expected tags",
    accepted: changing(added(named("t")), { tools: [tool()] }),
    settings: { betas: ["mid-conversation-tool-changes-2026-07-01"] },
  },
];

export const conversationCases: readonly RefusalCase[] = [...placeRules, ...connectorRules];
