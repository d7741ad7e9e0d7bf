import type { SpillStore } from "../types/stores.ts";
import { pagerAlias } from "./pager-tool.ts";

/** Keeps what does not go to the model, and says how to read it. Never rejects. */
export type KeepAside = (text: string, offset: number) => Promise<string>;

/** For what no run can read later. */
export const notKept: KeepAside = () => Promise.resolve("was not kept");

/** How a kept output is read: the end of a sentence. */
export function readWith(id: string, offset = 1): string {
  const position = offset > 1 ? { id, offset } : { id };
  return `kept: read it with ${pagerAlias} ${JSON.stringify(position)}`;
}

/** For what a store did not take: the end of a sentence. */
export const couldNotBeKept = "could not be kept: call the tool again for a smaller part";

/** Keeps full outputs of one run. The answer is the end of a sentence: `kept: read it with …` or that it is lost. */
export function createKeepAside(spill: SpillStore, runId: string): KeepAside {
  return async (text, offset) => {
    try {
      return readWith(await spill.put(runId, text), offset);
    } catch {
      return couldNotBeKept;
    }
  };
}
