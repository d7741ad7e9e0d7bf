import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { realAnswers, runTurns } from "./ask.ts";
import { project, type StartedServer, snapshotOf, startServer } from "./servers.ts";

/** Scans the example project by itself: a mark counts when a colon follows it, which only notes in comments have. */
function notes(mark: RegExp, folder = project): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return notes(mark, path);
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.flatMap((line, at) => (mark.test(line) ? [`${relative(project, path)}:${at + 1}`] : []));
  });
}

const todos = notes(/\bTODO:/);
const fixmes = notes(/\bFIXME:/);
const hacks = notes(/\bHACK:/);

let servers: StartedServer[];

beforeAll(async () => {
  servers = await Promise.all(["filesystem", "workspace"].map((name) => startServer(name)));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

const ask = (text: string, used = servers) => runTurns(text, snapshotOf(used), realAnswers(used));

/** The places an answer lists before it says what it did not count. */
function counted(answer: string): string[] {
  const [wanted = ""] = answer.split("Not counted");
  return [...wanted.matchAll(/^ {2}(\S+:\d+)/gm)].map((found) => found[1] ?? "").sort();
}

test("the project has a dozen notes of two kinds, three hacks, and words that only look like notes", () => {
  expect([todos.length, fixmes.length, hacks.length]).toEqual([9, 3, 3]);
  const looking = notes(/todo/i).filter((place) => !todos.includes(place));
  expect(looking.length).toBeGreaterThan(10);
});

test.each([
  "Find all TODO comments in the project and create a summary",
  "which TODOs are left in the code?",
  "List every TODO comment with its file and line.",
  "Please look for TODO comments in the code, then summarise them.",
])("every TODO and FIXME is in the answer, and nothing else is counted: %s", async (asked) => {
  const { calls, text } = await ask(asked);
  expect(counted(text)).toEqual([...todos, ...fixmes].sort());
  expect(text).toContain("12 comments with TODO or FIXME in 9 files (9 TODO, 3 FIXME)");
  expect(calls.flat().map((call) => call.tool)).toEqual(["workspace/search_code"]);
});

test.each([
  ["Find all HACK comments in the project and create a summary", hacks],
  ["grep for FIXME", fixmes],
  [
    "Find all TODO comments in src/server and create a summary",
    [...todos, ...fixmes].filter((place) => place.startsWith("src/server/")),
  ],
  ["Are there HACK comments in src?", hacks.filter((place) => place.startsWith("src/"))],
])("other marks and folders: %s", async (asked, expected) => {
  const { text } = await ask(asked);
  expect(expected.length).toBeGreaterThan(0);
  expect(counted(text)).toEqual([...expected].sort());
});

test("with the filesystem server alone the files are read and the same places found", async () => {
  const { text } = await ask(
    "Find all TODO comments in the project and create a summary",
    servers.slice(0, 1),
  );
  const places = counted(text).map((place) => relative(project, place));
  expect(places).toEqual([...todos, ...fixmes].sort());
});

test("a file that is not there is told, with what the server said", async () => {
  const { text } = await ask("show nope.txt");
  expect(text).toContain("There is no nope.txt in the workspace.");
});
