import { expect, test } from "vitest";
import { drawbridge } from "../scenarios/command.ts";
import { atTerminal, terminals } from "./at-terminal.ts";
import { homeFolder } from "./command.ts";

const home = homeFolder();
const server = [
  "--server",
  "x=node test/cli/fixtures/asking-server.mjs",
  "--allow",
  "x/*",
  "--model",
  "offline",
];
const main = "dist/cli/main.js";
const enter = "\r";

test.runIf(terminals)("a question in the middle of a run is answered at the terminal", async () => {
  const { code, screen } = await atTerminal([main, "use ask_name", ...server], home, [
    { on: "[f] fill it in", press: "f" },
    { on: "  > ", press: `Ada${enter}` },
    { on: "[y] send it", press: "y" },
  ]);
  expect(screen).toContain("x warning: about to ask");
  expect(screen).toContain("  | Who are you?");
  expect(screen).toContain('got {"action":"accept","content":{"name":"Ada"}}');
  expect(code).toBe(0);
});

test.runIf(terminals)("a question in a chat is declined with a letter, and the chat goes on", async () => {
  const { code, screen } = await atTerminal([main, "chat", ...server], home, [
    { on: "servers: x", press: `use ask_name${enter}` },
    { on: "[n] decline", press: "n" },
    { on: 'got {"action":"decline"}', press: `/exit${enter}` },
  ]);
  expect(screen).toContain("x: declined");
  expect(code).toBe(0);
});

test("without a terminal nobody is asked, and the server gets the reason", async () => {
  const { stdout, stderr } = await drawbridge(["use ask_name", ...server], { home });
  expect(stdout).toContain("this host does not offer it");
  expect(stdout + stderr).not.toContain("Who are you?");
});

test.runIf(terminals).each([
  ["call", ["call", "x", "ask_name"]],
  ["read", ["read", "x", "a:1"]],
])("what a server asks in the middle of `drawbridge %s` is answered at the terminal", async (_, words) => {
  const { code, screen } = await atTerminal([main, ...words, "--server", server[1] ?? ""], home, [
    { on: "[f] fill it in", press: "f" },
    { on: "  > ", press: `Ada${enter}` },
    { on: "[y] send it", press: "y" },
  ]);
  expect(screen).toContain("  | Who are you?");
  expect(screen).toContain('got {"action":"accept","content":{"name":"Ada"}}');
  expect(code).toBe(0);
});

test("without a terminal a command's server is told that there is nobody to ask", async () => {
  const { stdout } = await drawbridge(["call", "x", "ask_name", "--server", server[1] ?? ""], { home });
  expect(stdout).toContain("there is nobody to ask");
});
