import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import type { RunEvent } from "../../src/types/events.ts";
import { processesWith } from "../cli/command.ts";
import { textOf } from "../support/run-host.ts";

const everything = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
const slow = (duration: number) => ({
  calls: [
    { name: "everything__trigger-long-running-operation", input: { duration, steps: duration * 4 } },
    { name: "memory__read_graph" },
  ],
});
const echo = { calls: [{ name: "everything__echo", input: { message: "back again" } }] };

/** Runs a long operation, kills its server with SIGKILL at its first progress, and calls the server again. */
async function killInTheMiddle(trust: readonly string[]) {
  const marker = `killed-${process.pid}-${trust.length}`;
  await using host = createHost({
    servers: {
      everything: { command: "node", args: [everything, "stdio", marker] },
      memory: { command: "node", args: ["node_modules/@modelcontextprotocol/server-memory/dist/index.js"] },
    },
    model: scriptedModel([slow(2), echo, { text: "done" }]),
    // What each reads of this computer goes to the other here.
    policy: { rules: ["allow */*"], trust, flows: "off" },
    state: false,
  });
  const run = host.run("go on");
  const events: RunEvent[] = [];
  let killed = false;
  for await (const event of run) {
    events.push(event);
    if (killed || event.type !== "call_progress") continue;
    killed = true;
    for (const id of processesWith(marker)) process.kill(Number(id), "SIGKILL");
  }
  const result = await run.result;
  const results = result.messages.flatMap((message) =>
    message.role === "user" ? message.content.filter((block) => block.type === "tool_result") : [],
  );
  return { events, result, results };
}

const linux = process.platform === "linux";

test.runIf(linux)(
  "a server killed in the middle of a call fails that call only, and answers the next one",
  async () => {
    const { events, result, results } = await killInTheMiddle([]);
    const [long, beside, after] = results;
    expect(long?.isError).toBe(true);
    expect(textOf(long)).toMatch(/connection to server "everything" was lost.*may have run/);
    expect(beside?.isError).toBe(false);
    expect([after?.isError, textOf(after)]).toEqual([false, "Echo: back again"]);
    expect(result.stop).toEqual({ type: "answered" });
    const states = events.flatMap((event) =>
      event.type === "server_status" && event.server === "everything" ? [event.state] : [],
    );
    expect(states.slice(-3)).toEqual(["failed", "starting", "ready"]);
  },
);

test.runIf(linux)("a call that may be repeated, on a server that is trusted, is made once more", async () => {
  const { events, results } = await killInTheMiddle(["everything"]);
  expect(results.map((block) => block.isError)).toEqual([false, false, false]);
  const [first] = results;
  expect(textOf(first)).toContain("Long running operation completed");
  const completed = events.find((event) => event.type === "call_completed" && event.callId === first?.callId);
  expect(completed).toMatchObject({ attempts: 2 });
});
