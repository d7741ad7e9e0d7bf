import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { AuditEntry } from "../../src/types/audit.ts";

test("a host that is closed in the middle of a run ends it first: its call is settled and its end is in the log", async () => {
  const recorded: string[] = [];
  const audit = {
    // Slower than a close that waits for nothing.
    append: async (entry: AuditEntry) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      recorded.push(entry.kind);
    },
    close: async () => void recorded.push("closed"),
  };
  const server = fakeServer([
    textTool(
      "wait",
      (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(""))),
    ),
  ]);
  const host = createHost({
    servers: { s: server.config },
    model: scriptedModel([{ calls: [{ name: "s__wait" }] }]),
    policy: { rules: ["allow s/wait"] },
    state: false,
    audit,
  });
  const run = host.run("go");
  for await (const event of run) if (event.type === "call_started") break;
  await host.close();
  expect((await run.result).stop).toEqual({ type: "aborted" });
  expect(recorded.slice(-3)).toEqual(["results_returned", "run_ended", "closed"]);
});
