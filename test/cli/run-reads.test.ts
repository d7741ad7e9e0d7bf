import { expect, test } from "vitest";
import { drawbridge, homeFolder } from "./command.ts";
import { fixtureServer, projectFolder } from "./project.ts";

const home = homeFolder();
const folder = projectFolder({ notes: fixtureServer() });
const run = (...words: string[]) => {
  const allowed = ["--allow", "notes/delete_note path=*", "--config", ".mcp.json"];
  return drawbridge(['Delete the note "b.txt"', ...allowed, ...words], home, folder);
};

test("what a run is told of its question counts as read: the call is asked about where both are said", async () => {
  const [none, one, both] = await Promise.all([
    run(),
    run("--reads", "untrusted"),
    run("--reads", "untrusted", "--reads", "private"),
  ]);
  expect([none.code, one.code, both.code]).toEqual([0, 0, 4]);
  expect(both.stderr).toContain("The conversation has read private and untrusted content");
});

test("other words are wrong before anything starts", async () => {
  const { code, stderr } = await run("--reads", "all");
  expect(stderr).toContain('--reads takes private or untrusted, not "all".');
  expect(code).toBe(2);
});
