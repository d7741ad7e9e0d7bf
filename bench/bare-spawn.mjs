// The least that ten servers can take: spawn them together and wait for each one's answer to the first message.
import { spawn } from "node:child_process";

const servers = JSON.parse(process.argv[2]);
const first = {
  jsonrpc: "2.0",
  id: 1,
  method: "server/discover",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "bare", version: "1.0.0" },
    },
  },
};
const startedAt = performance.now();
await Promise.all(
  Object.values(servers).map(
    ({ command, args }) =>
      new Promise((resolve) => {
        const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
        child.stdout.once("data", () => resolve(child.kill()));
        child.stdin.write(`${JSON.stringify(first)}\n`);
      }),
  ),
);
console.log(JSON.stringify({ connectMs: performance.now() - startedAt }));
process.exit(0);
