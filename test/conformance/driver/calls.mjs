// What the model of a scenario asks for: the suite's servers want each of their tools called.

/** The id of the suite's server in the host. */
export const serverId = "suite";

/** Arguments that the suite expects, by tool; the others get none. */
const argumentsOf = {
  add_numbers: { a: 5, b: 3 },
  valid_tool: { region: "us-west1" },
  lookup_user: { id: "user-1" },
};

/**
 * The calls of the one turn in which the model uses tools: those that the suite names, or each tool that is offered.
 * @param {readonly { alias: string, route: { server: string, tool: string }, definition: { inputSchema: object } }[]} offered
 * @param {{ toolCalls?: readonly { name: string, arguments: object }[] }} context the suite's own
 * @returns {{ name: string, input: object }[]}
 */
export function callsOf(offered, context) {
  const tools = offered.filter(({ route }) => route.server === serverId);
  const named = context.toolCalls ?? tools.map(({ route }) => ({ name: route.tool }));
  return named.flatMap((call) => {
    const tool = tools.find(({ route }) => route.tool === call.name);
    return tool === undefined ? [] : [{ name: tool.alias, input: call.arguments ?? argument(tool, tools) }];
  });
}

function argument({ route }, tools) {
  if (route.tool !== "json_schema_echo") return argumentsOf[route.tool] ?? {};
  const focal = tools.find(({ route: { tool } }) => tool === "json_schema_2020_12_tool");
  return { schema: focal?.definition.inputSchema ?? {} };
}

/**
 * Calls that the host turned down because an argument was null, once more without it: a model that is told so does the
 * same.
 * @param {readonly import("drawbridge-mcp").Message[]} messages
 */
export function correctedCalls(messages) {
  const blocks = messages.flatMap(({ content }) => content);
  const failed = new Set(blocks.filter(({ isError }) => isError).map(({ callId }) => callId));
  return blocks
    .filter(({ type, id, input }) => type === "tool_call" && failed.has(id) && holdsNull(input))
    .map(({ name, input }) => ({ name, input: JSON.parse(input, (_, value) => value ?? undefined) }));
}

function holdsNull(text) {
  return Object.values(JSON.parse(text)).includes(null);
}
