import fc from "fast-check";
import { caseApis } from "../support/case-apis/all.ts";
import { judge } from "./judge.ts";
import { loweringProperty } from "./lowering.ts";
import { lowerings } from "./lowerings.ts";
import { neighbourhoods } from "./neighbourhoods/all.ts";
import { plan } from "./plan.ts";
import { play } from "./play.ts";
import { openStage } from "./stage.ts";
import { count, emptyTally, type Tally } from "./tally.ts";

/** The simulators that conversations are fuzzed against, by the folder that each is in. */
export const fuzzedApis: readonly string[] = Object.keys(neighbourhoods);

/** The properties that are fuzzed beside conversations: how schemas are lowered, by API. */
const schemasApi = "schemas";

/** What became of one batch. Plain JSON. */
export interface BatchResult {
  readonly api: string;
  readonly seed: number;
  /** What the conversations were made of; null for schemas. */
  readonly tally: Tally | null;
  /** How many runs held. */
  readonly passed: number;
  /** What broke one, made as small as it gets, with the seed and the path to play it again. */
  readonly failure: string | null;
}

/** One batch to run. */
export interface Order {
  readonly api: string;
  readonly runs: number;
  readonly seed: number;
  /** Of an earlier failure, to play just this one. */
  readonly path?: string | undefined;
}

/** The servers of Chat Completions are one API. */
const isMain = (name: string, api: string): boolean =>
  api === name || (api === "openai-chat" && !fuzzedApis.includes(name));

/** Plays conversations of one API, one after the other; their later runs may be another API's. */
export async function runBatch(order: Order): Promise<BatchResult> {
  const { api } = order;
  if (api === schemasApi) return runSchemas(order);
  const rules = neighbourhoods[api] ?? {};
  const tally = emptyTally(rules);
  const main = caseApis.filter(({ name }) => isMain(name, api));
  const stage = openStage(
    main,
    caseApis.filter((one) => !main.includes(one)),
  );
  try {
    const property = fc.asyncProperty(plan, async (planned) => {
      const played = await play(planned, stage);
      await judge(played);
      count(tally, rules, planned, played);
    });
    return { ...(await check(property, order)), tally };
  } finally {
    await stage.close();
  }
}

/** Schemas of tools, lowered for each API in turn. */
async function runSchemas(order: Order): Promise<BatchResult> {
  let passed = 0;
  for (const [name, lowering] of Object.entries(lowerings)) {
    const result = await check(
      loweringProperty(lowering, () => {}),
      order,
    );
    passed += result.passed;
    if (result.failure === null) continue;
    return { ...result, passed, tally: null, failure: `${name}: ${result.failure}` };
  }
  return { api: order.api, seed: order.seed, tally: null, passed, failure: null };
}

async function check<Ts>(
  property: fc.IAsyncProperty<Ts>,
  { api, runs, seed, path }: Order,
): Promise<Omit<BatchResult, "tally">> {
  const settings = path === undefined ? {} : { path, endOnFailure: true };
  const details = await fc.check(property, { numRuns: runs, seed, ...settings });
  if (!details.failed) return { api, seed, passed: details.numRuns, failure: null };
  const cause = details.errorInstance instanceof Error ? details.errorInstance.message : "";
  const failure = `${fc.defaultReportMessage(details)}\n${cause.slice(0, 4_000)}`;
  return { api, seed, passed: details.numRuns - 1, failure };
}
