import { expect, test } from "vitest";
import { HostError } from "../errors.ts";
import { createFailures, lastWords } from "./failure.ts";

const secret = "hunter2-hunter2";
const secrets = {
  register() {},
  redact: (text: string) => text.replaceAll(secret, "⟨secret⟩"),
  redactJson: <T>(value: T) => value,
};

test("no half of a secret is left where a text was cut", () => {
  for (let length = 0; length < 400; length++) {
    const config = { command: "run", args: ["x".repeat(length), secret] };
    const { message } = createFailures("s", config, secrets).make("server_exited", "it ended");
    expect(message).not.toContain("hunter");
  }
  for (let length = 900; length < 1_100; length++) {
    const { message } = createFailures("s", { command: "run" }, secrets).make(
      "server_protocol",
      `${"x".repeat(length)}${secret}`,
    );
    expect(message).not.toContain("hunter");
  }
});

test("only the last lines of stderr are told", () => {
  const stderr = Array.from({ length: 50 }, (_, line) => `line ${line}`).join("\n");
  const facts = { exit: { code: null, signal: "SIGKILL" }, stderr, skippedLines: 0 };
  const { message } = createFailures("s", { command: "run" }, secrets).make(
    "server_exited",
    "it ended",
    facts,
  );
  expect(message).toMatch(
    /^Server "s" \(run\): it ended, killed by SIGKILL\. The last of its stderr:\nline 42\n/,
  );
});

test("the reason of a stack is told, its frames are not", () => {
  const stderr = [
    "node:internal/modules/cjs/loader:1210",
    "  throw err;",
    "  ^",
    "",
    "Error: Cannot find module '/srv/server.mjs'",
    ...Array.from({ length: 12 }, (_, frame) => `    at Module.step (node:internal:${frame})`),
    "  code: 'MODULE_NOT_FOUND',",
    "}",
    "",
    "Node.js v20.19.0",
  ].join("\n");
  const facts = { exit: { code: 1, signal: null }, stderr, skippedLines: 0 };
  const { message } = createFailures("s", { command: "run" }, secrets).make(
    "server_exited",
    "it ended",
    facts,
  );
  expect(message).toContain("\nError: Cannot find module '/srv/server.mjs'\n");
  expect(message).not.toContain("    at ");
});

test("an error of the transport gets the server's name, and one that has it is passed on", () => {
  const failures = createFailures("s", { command: "run" }, secrets);
  const named = failures.fromThrown(new HostError("server_start_failed", "The command is gone."));
  expect(named).toMatchObject({
    code: "server_start_failed",
    message: 'Server "s" (run): The command is gone.',
  });
  expect(failures.fromThrown(named)).toBe(named);
  expect(failures.fromThrown(new Error("boom"))).toMatchObject({ code: "server_start_failed" });
});

test("what a process wrote to the wrong stream is told beside what it wrote to the right one", () => {
  const exit = { code: 1, signal: null };
  expect(lastWords({ exit, stderr: "bad key\n", skippedLines: 2 })).toBe(
    " It wrote 2 lines to its standard output that are no MCP messages. The last of its stderr:\nbad key",
  );
  expect(lastWords({ exit, stderr: "\n", skippedLines: 0 })).toBe("");
  expect(lastWords({ exit, stderr: "", skippedLines: 1 })).toBe(
    " It wrote 1 line to its standard output that is no MCP message.",
  );
});
