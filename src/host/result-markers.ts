import { createHmac } from "node:crypto";
import type { Stores } from "../types/stores.ts";

/**
 * The markers around the results of a run: they follow from its id and the secret key of the stores, so that no server
 * can know them, and a result that is mapped again after a crash has the same bytes.
 */
export function createMarkers({ hashKey }: Pick<Stores, "hashKey">): (runId: string) => Promise<string> {
  return async (runId) => {
    const key = await hashKey();
    return createHmac("sha256", key).update(`result marker ${runId}`).digest("hex").slice(0, 20);
  };
}
