// Many calls on a few servers: node scripts/soak.mjs [CALLS] [SERVERS]. Every call must answer, and once the host is
// warm its memory must stay what it is. At the end an answer of 40 MB, over the limit, costs its call and nothing else.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [calls = 10_000, servers = 5] = process.argv.slice(2).map(Number);
if (globalThis.gc === undefined) {
  // Without it the memory of the moment is that of the last collection.
  const args = ["--expose-gc", fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  process.exit(spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1);
}
const { createHost } = await import("drawbridge-mcp");

const atOnce = 8;
const warm = Math.min(1_000, Math.floor(calls / 5));
const mostGrowth = 1.1;
const toolServer = fileURLToPath(new URL("../bench/tool-server.mjs", import.meta.url));
const state = mkdtempSync(join(tmpdir(), "drawbridge-soak-"));
const ids = Array.from({ length: servers }, (_, index) => `server${index}`);
const host = createHost({
  servers: Object.fromEntries(ids.map((id) => [id, { command: process.execPath, args: [toolServer] }])),
  model: "offline",
  state,
});

/** Bytes in use after a collection: the resident set, and the part that is JavaScript. */
async function memory() {
  for (let times = 0; times < 3; times += 1) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.memoryUsage();
}

let failed = 0;
let made = 0;
async function work(until) {
  while (made < until) {
    const number = made;
    made += 1;
    const text = `call ${number}`;
    const result = await host.call(ids[number % servers], "echo", { text });
    if (result.isError || result.content[0]?.text !== text) failed += 1;
  }
}
const workUntil = (until) => Promise.all(Array.from({ length: atOnce }, () => work(until)));

await host.tools();
await workUntil(warm);
const before = await memory();
await workUntil(calls);
const after = await memory();
const mib = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
const growth = after.rss / before.rss;
console.log(`${calls} calls on ${servers} servers, ${failed} failed`);
console.log(
  `resident after ${warm} calls ${mib(before.rss)}, at the end ${mib(after.rss)}: ${growth.toFixed(3)}`,
);
console.log(`heap after ${warm} calls ${mib(before.heapUsed)}, at the end ${mib(after.heapUsed)}`);
const huge = await host.call(ids[0], "big", { bytes: 40_000_000 });
const next = await host.call(ids[0], "echo", { text: "still there" });
const starts = host.status().filter(({ state }) => state === "ready").length;
const survived = huge.isError && next.content[0]?.text === "still there" && starts === servers;
console.log(
  `an answer of 40 MB: ${survived ? "its call failed, the connection goes on" : "the connection was lost"}`,
);
await host.close();
rmSync(state, { recursive: true, force: true });
const checks = [failed === 0, growth <= mostGrowth, survived];
const passed = checks.filter(Boolean).length;
console.log(`${passed} passed, ${checks.length - passed} failed`);
process.exitCode = passed === checks.length ? 0 : 1;
