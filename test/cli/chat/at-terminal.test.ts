import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, fixture, homeFolder, processesOf, processesWith, root } from "../command.ts";
import { hasTmux, type Pane, terminals, withoutTimes } from "./tmux.ts";

const home = homeFolder();
const openPane = terminals();
const settings = { cwd: root, environment: environment(home) };
const chat = (mode: string, more = "") =>
  `node dist/cli/main.js chat --server '${fixture(mode)}' --trust notes ${more}`;

/** Starts a chat and waits for its prompt. */
async function openChat(
  mode: string,
  more = "",
  size: { columns?: number; rows?: number } = {},
): Promise<Pane> {
  const pane = await openPane({ ...settings, ...size });
  pane.type(`clear; stty -a > ${home}/before; ${chat(mode, more)}; echo code=$?; stty -a > ${home}/after`);
  pane.press("Enter");
  await pane.sees(/servers: notes[\s\S]*\n>/);
  return pane;
}

/** The terminal is as it was before the chat, and shows its cursor on its main screen. */
async function expectRestored(pane: Pane, code: number): Promise<void> {
  await pane.sees(new RegExp(`code=${code}\\n\\$`));
  expect(readFileSync(join(home, "after"), "utf8")).toBe(readFileSync(join(home, "before"), "utf8"));
  expect(pane.ask("#{cursor_flag} #{alternate_on}")).toBe("1 0");
}

test.runIf(hasTmux)(
  "a conversation: an answer, a question in place, a denial with its reason, leaving",
  async () => {
    const pane = await openChat("plain");
    pane.type('Read the note "a.txt"');
    pane.press("Enter");
    await pane.sees("a.txt says hello");
    await pane.sees(/\n\n>$/);
    pane.type('Delete the note "b.txt"');
    pane.press("Enter");
    await pane.sees("[m] deny and say why");
    pane.press("Enter");
    await pane.sees("Enter is none of them");
    pane.press("m");
    await pane.sees("Why not?");
    pane.type("it is needed");
    pane.press("Enter");
    const rows = withoutTimes(await pane.sees(/was not run[\s\S]*\n\n>$/));
    expect(rows).toContain('✗ notes/delete_note {"path":"b.txt"}');
    expect(rows).toContain("  Denied by the person: it is needed");
    expect(rows).toContain("  TIME · 1 call");
    pane.press("C-d");
    await expectRestored(pane, 0);
  },
);

test.runIf(hasTmux)(
  "Ctrl-C stops a call that hangs and the conversation goes on; twice at the prompt leaves",
  async () => {
    const pane = await openChat("hangs");
    pane.type('Read the note "a.txt"');
    pane.press("Enter");
    await pane.sees('… notes/read_note {"path":"a.txt"}');
    pane.press("C-c");
    await pane.sees(/Stopped\. The conversation goes on[\s\S]*\n>$/);
    pane.type("/audit");
    pane.press("Enter");
    await pane.sees("✓ notes/read_note · Its server is trusted and says that it only reads.");
    pane.press("C-c");
    await pane.sees("Press Ctrl-C again to leave");
    pane.press("C-c");
    await expectRestored(pane, 130);
    expect(processesOf(home).filter((id) => processesWith("server.mjs\0hangs").includes(id))).toEqual([]);
  },
);

test.runIf(hasTmux)(
  "a pasted text of many lines is one message, and a kill leaves the terminal as it was",
  async () => {
    const pane = await openChat("plain", "--no-store", { columns: 120, rows: 40 });
    pane.paste("first line\nsecond line\nthird 中文 😀");
    const rows = await pane.sees("third 中文 😀");
    expect(rows.slice(-3)).toEqual(["> first line", "  second line", "  third 中文 😀"]);
    const chats = processesWith("main.js\0chat");
    const [id = ""] = processesOf(home).filter((process) => chats.includes(process));
    execFileSync("kill", ["-TERM", id]);
    await expectRestored(pane, 143);
  },
);

test.runIf(hasTmux)("without colours a chat writes no colour", async () => {
  const pane = await openPane({ ...settings, environment: { ...settings.environment, NO_COLOR: "1" } });
  pane.type(chat("plain"));
  pane.press("Enter");
  await pane.sees(/servers: notes[\s\S]*\n>/);
  pane.type("/help");
  pane.press("Enter");
  await pane.sees("stop the answer");
  expect(pane.screen(true).join("\n")).not.toContain("\u001b[");
  pane.press("C-d");
  await pane.sees("$");
});
