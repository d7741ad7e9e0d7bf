import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atTerminal, terminals } from "./at-terminal.ts";
import { fixture, homeFolder } from "./command.ts";

const main = "dist/cli/main.js";

test.runIf(terminals)("drawbridge alone says what there is and how to begin", async () => {
  const { code, screen } = await atTerminal([main], homeFolder(), []);
  expect(screen).toContain("Drawbridge: an MCP host");
  expect(screen).toContain("To begin: drawbridge init");
  expect(code).toBe(0);
});

test.runIf(terminals)("drawbridge alone is the chat once something is configured", async () => {
  const home = homeFolder();
  mkdirSync(join(home, "config"));
  writeFileSync(join(home, "config/drawbridge.json"), JSON.stringify({ model: "offline" }));
  const { code, screen } = await atTerminal([main], home, [{ on: "/help", press: "\u0004" }]);
  expect(screen).not.toContain("Drawbridge: an MCP host");
  expect(code).toBe(0);
});

test.runIf(terminals)("a person at the terminal is asked also when something is piped in", async () => {
  const argv = [main, 'Delete the note "a.txt"', "--server", fixture("plain")];
  const { code, screen } = await atTerminal(
    argv,
    homeFolder(),
    [
      { on: "delete_note", press: "" },
      { on: "[m] deny and say why", press: "y" },
    ],
    "echo context | ",
  );
  expect(screen).toContain("standard input goes with the question: 8 B");
  // Shown as it came, and not a second time at the end.
  expect(screen.match(/a\.txt says hello/g)).toHaveLength(1);
  expect(code).toBe(0);
});
