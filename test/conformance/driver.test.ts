import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startFakeAuthServer } from "../../src/testing/auth-server/server.ts";

const client = join(import.meta.dirname, "driver/client.mjs");

interface Driven {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the driver as the suite does. */
function drive(scenario: string, revision: string, url: string): Promise<Driven> {
  const child = spawn(process.execPath, [client, url], {
    env: {
      ...process.env,
      MCP_CONFORMANCE_SCENARIO: scenario,
      MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
    },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

test("the driver of the conformance suite logs the host in and calls every tool, and fails in the wrong era", async () => {
  const fake = await startFakeAuthServer({ tools: ["add_numbers", "echo"] });
  onTestFinished(() => fake.close());
  const [driven, other] = await Promise.all([
    drive("auth/metadata-default", "2025-11-25", fake.url),
    drive("auth/metadata-default", "2026-07-28", fake.url),
  ]);
  expect(driven).toMatchObject({ code: 0, stderr: "" });
  expect(driven.stdout).toContain(JSON.stringify({ type: "text", text: 'add_numbers {"a":5,"b":3}' }));
  expect(driven.stdout).toContain(JSON.stringify({ type: "text", text: "echo {}" }));
  expect(other.code).toBe(1);
  expect(other.stderr).toContain("should be modern");
  expect(fake.authorizations).toHaveLength(2);
  expect(fake.breaches).toEqual([]);
});
