import { afterAll, beforeAll, describe, test } from "vitest";
import type { CaseHost } from "../case-host.ts";
import type { Case } from "../cases.ts";
import { caseApis } from "./all.ts";
import type { CaseApi } from "./api.ts";

/** The simulators of every kind that `npm test` goes through; `npm run cases` goes through all servers of Chat Completions. */
const fewApis: ReadonlySet<string> = new Set(["anthropic", "openai-responses", "openai-chat", "gemini"]);

/** The APIs that cases are run through. */
export const chosenApis: readonly CaseApi[] =
  process.env.CASE_APIS === "all" ? caseApis : caseApis.filter(({ name }) => fewApis.has(name));

/**
 * Runs each case through every API, one after the other, on one host: a test for each pair.
 * @param start starts what the APIs share
 */
export function eachApi(
  cases: readonly Case[],
  start: (one: Case) => Promise<CaseHost>,
  run: (one: Case, api: CaseApi, host: CaseHost) => Promise<void>,
): void {
  describe.each(cases.map((one) => [one.id, one.kind, one] as const))("%s %s", (_id, _kind, one) => {
    let host: CaseHost | undefined;
    beforeAll(async () => {
      host = await start(one);
    });
    afterAll(() => host?.[Symbol.asyncDispose]());
    test.each(chosenApis.map((api) => [api.name, api] as const))("%s", async (_name, api) => {
      if (host === undefined) throw new Error("The host did not start.");
      await run(one, api, host);
    });
  });
}
