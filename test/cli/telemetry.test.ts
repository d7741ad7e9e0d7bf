import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collector } from "../telemetry/collector.ts";
import { environment, fixture, homeFolder, root } from "./command.ts";

const home = homeFolder();
const main = join(root, "dist/cli/main.js");

/** Runs the command with more in its environment. */
function run(
  argv: readonly string[],
  more: Record<string, string>,
): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [main, ...argv], {
    cwd: root,
    env: { ...environment(home), ...more },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stderr })));
}

const argv = ["What is the meaning of life?", "--server", fixture("plain"), "--trust", "notes"];

test("the command sends the spans of its run before it ends, and its own key in none of them", async () => {
  const got = await collector();
  const key = "Bearer 0123456789abcdef";
  const { code } = await run(argv, {
    OTEL_EXPORTER_OTLP_ENDPOINT: got.origin,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(key)}`,
  });
  expect(code).toBe(0);
  expect(got.spans().map(({ name }) => name)).toContain("invoke_agent");
  expect(got.requests[0]?.headers.authorization).toBe(key);
  expect(got.requests[0]?.body).not.toContain("0123456789abcdef");
  expect(got.requests[0]?.body).not.toContain("meaning of life");
});

test("a direct call sends its decision and its execution", async () => {
  const got = await collector();
  const call = ["call", "notes", "read_note", '{"path":"x"}', "--server", fixture("plain")];
  await run(call, { OTEL_EXPORTER_OTLP_ENDPOINT: got.origin });
  const names = got.spans().map(({ name }) => name.split(" ")[0]);
  expect(names.sort()).toEqual(["decide", "execute_tool"]);
});

test("a collector that is not there costs one line", async () => {
  const { code, stderr } = await run(argv, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
  const lines = stderr.split("\n").filter((line) => line.includes("Spans"));
  expect(lines).toEqual([
    "! Spans could not be sent to http://127.0.0.1:1, and were dropped: it cannot be reached.",
  ]);
  expect(code).toBe(0);
});
