// What the input of one conversation costs, beside the least that its API can ask for it: node billing.mjs JSON.
// `{api, turns, tools, parallel, change}` is a conversation of so many turns with calls, over so many tools; with
// `change` a server adds a tool in the middle. Prints one line of JSON.
import { createHost } from "drawbridge-mcp";
import {
  fakeServer,
  startAnthropicSimulator,
  startOpenAiChatSimulator,
  textTool,
} from "drawbridge-mcp/testing";

const settings = JSON.parse(process.argv[2]);
const { turns, parallel } = settings;
const servers = 3;

/** A tool whose definition is as long as they usually are. */
function tool(index) {
  const parameter = (name) => [
    name,
    { type: "string", description: `What ${name} is about, in a sentence or two.` },
  ];
  const properties = Object.fromEntries(["path", "query", "limit", "order"].map(parameter));
  const description = `Does the work of number ${index} and tells what came of it. `.repeat(4);
  const answer = `${"A line of what was found, with a number. ".repeat(10)}\n`;
  return textTool(`tool_${index}`, (args) => answer + JSON.stringify(args), {
    description,
    inputSchema: { type: "object", properties, required: ["path"] },
  });
}

const all = Array.from({ length: settings.tools }, (_, index) => tool(index));
const own = (server) => all.filter((_, index) => index % servers === server);
const fakes = Array.from({ length: servers }, (_, server) => fakeServer(own(server)));

/** The calls of a turn: names and arguments. */
function callsOf(turn) {
  return Array.from({ length: parallel }, (_, index) => {
    const number = (turn * parallel + index) % settings.tools;
    return { name: `s${number % servers}__tool_${number}`, input: { path: `/notes/${turn}/${index}` } };
  });
}

let asked = 0;

/** The next turn; a tool is added while the one in the middle is made. */
function next(turnOf) {
  asked += 1;
  if (settings.change && asked === Math.ceil(turns / 2))
    fakes[servers - 1].changeTools([...own(servers - 1), tool(999)]);
  return asked > turns ? turnOf("Done.", []) : turnOf("I look into it.", callsOf(asked));
}

const bytes = (value) => Buffer.byteLength(JSON.stringify(value));

/**
 * How each API is asked and counts. `write` and `read` are the prices of a token beside one that is not cached.
 * `toolTokens`: tokens of the tools of a request, as its simulator counts them.
 */
const apis = {
  anthropic: {
    write: 1.25,
    read: 0.1,
    start: () =>
      startAnthropicSimulator({
        turns: () =>
          next((text, calls) => ({
            content: [{ type: "text", text }, ...calls.map((call) => ({ type: "tool_use", ...call }))],
          })),
      }),
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "bench-key-of-no-account" }),
    model: "anthropic/claude-opus-5",
    toolTokens: (tools) =>
      tools.reduce((sum, { cache_control: _, ...rest }) => sum + Math.ceil(bytes(rest) / 4), 0),
  },
  "openai-chat": {
    write: 1,
    read: 0.1,
    start: () =>
      startOpenAiChatSimulator({
        turns: () =>
          next((content, calls) => ({
            content,
            tool_calls: calls.map(({ name, input }) => ({ name, arguments: input })),
          })),
      }),
    environment: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "bench-key-of-no-account" }),
    model: "openai-chat/some-model",
    toolTokens: (tools) => Math.floor(bytes(tools) / 4),
  },
};

const api = apis[settings.api];
const simulator = await api.start();
Object.assign(process.env, api.environment(simulator.url));
const host = createHost({
  servers: Object.fromEntries(fakes.map(({ config }, index) => [`s${index}`, config])),
  model: api.model,
  system: "You look into things and tell what you found. ".repeat(20),
  policy: { rules: ["allow */*"] },
  limits: { turns: turns + 2 },
  state: false,
  audit: false,
});
const run = host.run("Look into all of it.");
const usages = [];
for await (const event of run) if (event.type === "message_completed") usages.push(event.usage);
const { stop } = await run.result;
if (stop.type !== "answered" || usages.length !== turns + 1) throw new Error(JSON.stringify(stop));

/**
 * The least: every request reads the whole of the one before it from the cache, and writes what is new once. Tools
 * stand before everything else, so that behind a tool that was added nothing can be read: only the tools before it are.
 */
let billed = 0;
let least = 0;
let read = 0;
let total = 0;
for (const [index, { inputTokens, cacheWriteTokens, cacheReadTokens }] of usages.entries()) {
  const tokens = inputTokens + cacheWriteTokens + cacheReadTokens;
  const [before, now] = [
    simulator.requests[index - 1]?.body.tools ?? [],
    simulator.requests[index].body.tools,
  ];
  const last = usages[index - 1];
  const known =
    last === undefined
      ? 0
      : before.length < now.length
        ? api.toolTokens(before)
        : last.inputTokens + last.cacheWriteTokens + last.cacheReadTokens;
  billed += inputTokens + cacheWriteTokens * api.write + cacheReadTokens * api.read;
  least += known * api.read + (tokens - known) * api.write;
  read += cacheReadTokens;
  total += tokens;
}
const changes = simulator.requests.filter(
  ({ body }, index) => index > 0 && body.tools.length !== simulator.requests[index - 1].body.tools.length,
).length;
if (changes !== (settings.change ? 1 : 0)) throw new Error(`the tools changed ${changes} times`);
console.log(JSON.stringify({ billed, least, hitRatio: read / total, total }));
await host.close();
await simulator.close();
process.exit(0);
