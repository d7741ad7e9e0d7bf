import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expandGenerated } from "../../src/testing/hostile/generate.ts";

/** An input that broke other hosts. `assert` says what must hold. */
export interface Case {
  readonly id: string;
  readonly kind: string;
  readonly type: string;
  readonly expected: string;
  readonly assert: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** A case, or the part of one, that needs something that is not built yet. */
export interface Waiting {
  readonly id: string;
  /** The member of `assert` that waits, such as `openai.maxTools`; the rest of the case is run. Absent: the whole case waits. */
  readonly part?: string;
  /** What is missing: the folder or file whose existence ends the wait, or words. */
  readonly needs: string;
  readonly reason: string;
}

const root = join(import.meta.dirname, "../..");
const folder = join(root, "test/cases");

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}

/** Every case as its file says it, by id. */
export const allCases: readonly Case[] = readdirSync(folder)
  .filter((file) => file.endsWith(".json") && file !== "waiting.json")
  .sort()
  .map((file) => ({ assert: {}, ...(read(file) as Omit<Case, "assert">) }) as Case);

export const waiting: readonly Waiting[] = read("waiting.json") as Waiting[];

/** Whether what an entry waits for is there. */
export const isBuilt = ({ needs }: Waiting): boolean => existsSync(join(root, needs));

/** Types of cases and the file of tests that runs them. */
export const runners: Readonly<Record<string, string>> = {
  tools: "cases-tools.test.ts",
  servers: "cases-names.test.ts",
  cache: "cases-cache.test.ts",
  result: "cases-results.test.ts",
  server: "cases-servers.test.ts",
  config: "cases-servers.test.ts",
  ops: "cases-ops.test.ts",
  "model-turn": "cases-model.test.ts",
  "model-turns": "cases-model.test.ts",
  "history-build": "cases-history.test.ts",
  "history-repair": "cases-history.test.ts",
  "model-args": "cases-history.test.ts",
  policy: "cases-consent.test.ts",
  prompt: "cases-consent.test.ts",
};

/** The cases of some types that wait for nothing, with generated texts written out. */
export function runnable(...types: string[]): readonly Case[] {
  const whole = new Set(waiting.filter(({ part }) => part === undefined).map(({ id }) => id));
  return allCases
    .filter((one) => types.includes(one.type) && !whole.has(one.id))
    .map((one) => expandGenerated(one) as Case);
}

/** Checks by the name of the assertion. */
export type Checks<Facts> = Readonly<Record<string, (wanted: unknown, facts: Facts) => void | Promise<void>>>;

/**
 * Runs the check of every assertion; `prefix` is where they stand in the case's. An assertion without a check fails the case, unless it waits; one that waits and
 * holds all the same fails it too, because then it need not wait any longer.
 */
export async function check<Facts>(
  one: Pick<Case, "id" | "assert"> & { readonly prefix?: string },
  checks: Checks<Facts>,
  facts: Facts,
): Promise<void> {
  const prefix = typeof one.prefix === "string" ? one.prefix : "";
  for (const [name, wanted] of Object.entries(one.assert)) {
    const run = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (waiting.some(({ id, part }) => id === one.id && part === `${prefix}${name}`)) {
      if (await holds(run, wanted, facts)) throw new Error(`${one.id}: ${name} holds; it need not wait`);
    } else if (run === undefined) {
      throw new Error(`${one.id}: there is no check for the assertion ${name}`);
    } else {
      await run(wanted, facts);
    }
  }
}

async function holds<Facts>(
  run: Checks<Facts>[string] | undefined,
  wanted: unknown,
  facts: Facts,
): Promise<boolean> {
  if (run === undefined) return false;
  try {
    await run(wanted, facts);
    return true;
  } catch {
    return false;
  }
}
