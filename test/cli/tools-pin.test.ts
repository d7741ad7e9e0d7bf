import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawbridge, homeFolder, root } from "./command.ts";

/** A home with one server, whose tool says what the returned function was told. */
function homeWith(drift: "ask" | "block") {
  const home = homeFolder();
  const file = join(home, "description");
  mkdirSync(join(home, "config"), { recursive: true });
  const args = [join(root, "test/cli/fixtures/changing-server.mjs"), file];
  const notes = { command: process.execPath, args, protocol: "legacy", drift };
  writeFileSync(join(home, "config/drawbridge.json"), JSON.stringify({ mcpServers: { notes } }));
  const describe = (text: string) => writeFileSync(file, text);
  const run = (...argv: string[]) => drawbridge(argv, home, home);
  return { describe, run };
}

const ask = ["run", "read a note", "--model", "offline", "--allow", "notes/*"];

test("a pinned tool that changed is kept back until its difference was accepted", async () => {
  const { describe, run } = homeWith("block");
  describe("Reads a note");
  expect((await run(...ask)).code).toBe(0);
  describe("Reads a note and mails it");
  expect((await run(...ask)).stderr).toMatch(
    /! notes\/read_note is kept from the model: its definition changed since .* were pinned on \d{4}-\d\d-\d\d; `drawbridge tools notes --pin`/,
  );
  const listed = await run("tools");
  expect(listed.stdout).toMatch(/^notes {2}pinned on \d{4}-\d\d-\d\d$/m);
  expect(listed.stdout).toContain("    description: Reads a note{+ and mails it+}");
  expect((await run("doctor")).stdout).toMatch(/pinned on .* 1 of them kept from the model/);
  const unasked = await run("tools", "notes", "--pin");
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("add --yes")]);
  const accepted = await run("tools", "notes", "--pin", "--yes");
  expect(accepted.stderr).toContain("description: Reads a note{+ and mails it+}");
  expect(accepted.stdout).toBe(
    'Accepted 1 difference of server "notes". Its tools are pinned as they are now.\n',
  );
  expect((await run(...ask)).stderr).not.toContain("kept from the model");
});

test("a run says which tools changed since the last one, and listing them does not take that away", async () => {
  const { describe, run } = homeWith("ask");
  describe("Reads a note");
  await run(...ask);
  describe("Mails a note");
  expect((await run("tools", "notes")).stdout).toMatch(
    /^notes\/read_note {2}changed since \d{4}-\d\d-\d\d$/m,
  );
  const { stderr } = await run(...ask);
  expect(stderr).toMatch(/! tools changed since \d{4}-\d\d-\d\d: ~notes\/read_note/);
  expect((await run(...ask)).stderr).not.toContain("! tools changed");
});

test("what is to be accepted needs a server's name", async () => {
  const { run } = homeWith("ask");
  expect((await run("tools", "--pin")).stderr).toContain("Which server?");
  expect((await run("tools", "notes", "--yes")).stderr).toContain("--yes is for --pin");
  expect((await run("tools", "nots")).stderr).toContain('There is no server "nots"');
});
