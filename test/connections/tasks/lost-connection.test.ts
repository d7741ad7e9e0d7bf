import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCalls } from "../elicitation/ask-host.ts";

const script = resolve(import.meta.dirname, "../../fixtures/connections/kept-task-server.mjs");

test("a task is asked about again once its server has been started anew", async () => {
  const folder = mkdtempSync(join(tmpdir(), "task-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = { command: "node", args: [script, join(folder, "first")] };
  const { told, entries } = await runCalls({ config: config as never }, ["t"]);
  expect(told).toBe("kept");
  expect(entries.filter(({ kind }) => kind === "call_intended")).toHaveLength(1);
});
