import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasTmux, type Pane, terminals } from "../chat/tmux.ts";
import { processesOf, processesWith } from "../command.ts";
import { newcomersPlaces, type Place } from "./place.ts";

const openPane = terminals();
const newcomersPlace = newcomersPlaces();

/** A chat in the middle of a call that never ends by itself. */
async function inCall(place: Place): Promise<Pane> {
  const { home, project: cwd, environment } = place;
  const pane = await openPane({ cwd, environment });
  const chat = "drawbridge trust workspace --yes; clear; drawbridge chat";
  pane.type(`stty -a > ${home}/before; ${chat}; echo code=$?; stty -a > ${home}/after; echo looked`);
  pane.press("Enter");
  await pane.sees(/servers: workspace[\s\S]*\n>$/);
  pane.type("Run the command program=cat");
  pane.press("Enter");
  await pane.sees("[m] deny and say why");
  pane.press("y");
  await pane.sees(/… workspace\/run_command .* · [1-9] s/);
  return pane;
}

function expectRestored(pane: Pane, { home }: Place): void {
  const settings = (name: string) => readFileSync(join(home, name), "utf8");
  expect(settings("after")).toBe(settings("before"));
  expect(pane.ask("#{cursor_flag} #{alternate_on} #{bracket_paste_flag}")).toMatch(/^1 0/);
}

/** The shell of the terminal is all that is left. */
async function expectOnlyShell({ home }: Place): Promise<void> {
  await expect.poll(() => processesOf(home).length, { timeout: 10_000 }).toBe(1);
}

function chatOf({ home }: Place): string {
  const chats = processesWith("main.js\0chat");
  const [id = ""] = processesOf(home).filter((process) => chats.includes(process));
  return id;
}

test.runIf(hasTmux)(
  "Ctrl-C ends a call, twice more leaves: the terminal is as it was, and nothing runs on",
  async () => {
    const place = newcomersPlace();
    const pane = await inCall(place);
    pane.press("C-c");
    await pane.sees(/Stopped\. The conversation goes on[\s\S]*\n>$/);
    pane.press("C-c", "C-c");
    await pane.sees(/code=130[\s\S]*\nlooked\n/);
    expectRestored(pane, place);
    await expectOnlyShell(place);
  },
);

test.runIf(hasTmux)("SIGTERM in a call leaves: the terminal is as it was, and nothing runs on", async () => {
  const place = newcomersPlace();
  const pane = await inCall(place);
  execFileSync("kill", ["-TERM", chatOf(place)]);
  const rows = await pane.sees(/code=143[\s\S]*\nlooked\n/);
  expect(rows).toContain("Interrupted: stopping the servers. Press Ctrl-C again to leave at once.");
  expectRestored(pane, place);
  await expectOnlyShell(place);
});

test.runIf(hasTmux)("SIGKILL in a call leaves no process behind", async () => {
  const place = newcomersPlace();
  const pane = await inCall(place);
  execFileSync("kill", ["-KILL", chatOf(place)]);
  await pane.sees(/code=137/);
  await expectOnlyShell(place);
});
