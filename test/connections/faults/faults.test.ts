import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const fixtures = resolve(import.meta.dirname, "../../fixtures/faults");

interface Cell {
  readonly fault: string;
  readonly phase: string;
  readonly transport: string;
}

/** The matrix is a plain module, as its driver runs outside of the tests. */
interface Matrix {
  readonly cells: readonly Cell[];
  problemOf(outcome: Cell): string | null;
}

const { cells, problemOf } = (await import(resolve(fixtures, "cells.mjs"))) as Matrix;

/** Those that are quick and each of another kind; `npm run faults` plays all of them. */
const quick = new Set([
  "kill -9 start stdio",
  "exit 0 list stdio",
  "kill -9 idle stdio",
  "list storm idle stdio",
  "kill -9 call stdio",
  "closed stdin call stdio",
  "20 MB line call stdio",
  "hang elicitation stdio",
  "HTTP 401 start http",
  "HTTP 429 list http",
  "kill -9 call http",
  "restart call http",
  "stream cut call http",
  "HTTP 404 call http",
  "HTTP 500 call http",
  "20 MB line call http",
  "kill -9 elicitation http",
  "kill -9 start stdio modern",
  "exit 0 list stdio modern",
  "list storm idle stdio modern",
  "kill -9 elicitation stdio modern",
  "HTTP 404 start http modern",
  "HTTP 429 list http modern",
  "HTTP 401 call http modern",
  "garbage elicitation http modern",
  "HTTP 500 elicitation http modern",
]);
const chosen = cells.filter(({ fault, phase, transport }) => quick.has(`${fault} ${phase} ${transport}`));

interface Played {
  readonly lines: readonly (Cell & { readonly ended?: boolean; readonly unhandled?: number })[];
  /** Its exit code, once it ended by itself; null when it had to be ended. */
  readonly code: number | null;
  readonly said: string;
}

/** Plays cells in a process of their own, which must end by itself. */
function play(played: readonly Cell[]): Promise<Played> {
  const args = [resolve(fixtures, "driver.mjs"), JSON.stringify(played)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let [output, said] = ["", ""];
  let patience: NodeJS.Timeout | undefined;
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
    if (output.includes('"ended":true')) patience ??= setTimeout(() => child.kill("SIGKILL"), 10_000);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  return new Promise((done) => {
    child.once("close", (code) => {
      clearTimeout(patience);
      const lines = output.split("\n").filter((line) => line !== "");
      done({ lines: lines.map((line) => JSON.parse(line) as Played["lines"][number]), code, said });
    });
  });
}

test("whatever happens to a server, the run ends or goes on as it should, and nothing is left behind", async () => {
  expect(chosen).toHaveLength(quick.size);
  const { lines, code, said } = await play(chosen);
  const outcomes = lines.slice(0, -1);
  expect(outcomes).toHaveLength(chosen.length);
  const wrong = outcomes.flatMap((outcome) => {
    const problem = problemOf(outcome);
    return problem === null ? [] : [`${outcome.fault}, ${outcome.phase}, ${outcome.transport}: ${problem}`];
  });
  expect(wrong).toEqual([]);
  expect(lines.at(-1)).toEqual({ ended: true, unhandled: 0 });
  expect(said).toBe("");
  // It ended by itself: no handle and no timer held it.
  expect(code).toBe(0);
}, 120_000);
