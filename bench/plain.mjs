// The plain loop that everybody writes: MCP client and model SDK, no consent, no audit, no validation, no limits.
import Anthropic from "@anthropic-ai/sdk";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** Connects one after the other, as the loop of a tutorial does. */
export async function connect(servers) {
  const clients = new Map();
  const tools = [];
  for (const [id, { command, args }] of Object.entries(servers)) {
    const client = new Client({ name: "plain", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
    for (const tool of (await client.listTools()).tools) {
      clients.set(`${id}__${tool.name}`, { client, name: tool.name });
      tools.push({
        name: `${id}__${tool.name}`,
        description: tool.description,
        input_schema: tool.inputSchema,
      });
    }
  }
  return { clients, tools };
}

/** `onTurn` is told before each request. */
export async function ask({ clients, tools }, question, { stream = false, onTurn = () => {} } = {}) {
  const anthropic = new Anthropic();
  const messages = [{ role: "user", content: question }];
  for (;;) {
    onTurn();
    const request = { model: "claude-opus-5", max_tokens: 16_000, messages, tools };
    const answer = stream
      ? await anthropic.messages.stream(request).finalMessage()
      : await anthropic.messages.create(request);
    messages.push({ role: "assistant", content: answer.content });
    const calls = answer.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return answer;
    const content = await Promise.all(
      calls.map(async ({ id, name, input }) => {
        const { client, name: tool } = clients.get(name);
        const result = await client.callTool({ name: tool, arguments: input });
        return {
          type: "tool_result",
          tool_use_id: id,
          content: result.content,
          is_error: result.isError ?? false,
        };
      }),
    );
    messages.push({ role: "user", content });
  }
}

export async function close({ clients }) {
  await Promise.all(
    [...new Set([...clients.values()].map(({ client }) => client))].map((client) => client.close()),
  );
}

/** One call with a large answer. */
export function big({ clients }, bytes) {
  const { client } = clients.get("bench__big");
  return client.callTool({ name: "big", arguments: { bytes } });
}
