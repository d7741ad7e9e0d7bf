// Host CPU of one large answer over a stdio transport alone: node transport.mjs own|sdk JSON. Prints one line of JSON.
const [, , kind, json] = process.argv;
const { command, args, bytes, own } = JSON.parse(json);
const settings = {
  environment: process.env,
  messageBytes: 32 * 1024 * 1024,
  stderrTailBytes: 1024,
  redact: (text) => text,
};

async function open() {
  if (kind === "own") return (await import(own)).createStdioTransport({ command, args, env: {} }, settings);
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  return new StdioClientTransport({ command, args, stderr: "ignore" });
}

const transport = await open();
const waiting = new Map();
transport.onmessage = (message) => waiting.get(message.id)?.(message);
let lastId = 0;

function request(method, params) {
  const id = ++lastId;
  const answer = new Promise((resolve) => waiting.set(id, resolve));
  return transport.send({ jsonrpc: "2.0", id, method, params }).then(() => answer);
}

await transport.start();
await request("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bench", version: "1.0.0" },
});
await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
const before = process.cpuUsage();
const answer = await request("tools/call", { name: "big", arguments: { bytes } });
const { user, system } = process.cpuUsage(before);
const received = answer.result.content[0].text.length;
if (received < bytes * 0.99) throw new Error(`only ${received} characters came`);
console.log(JSON.stringify({ total: (user + system) / 1_000 }));
await transport.close();
process.exit(0);
