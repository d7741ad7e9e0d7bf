import { toHostError } from "../../errors.ts";
import { createHost } from "../../host.ts";
import type { HostOptions } from "../../types/config.ts";

/** Who would answer. */
export interface ModelDiagnosis {
  /** `api/name`; null with a problem. */
  readonly name: string | null;
  /** Whether that is the offline model. */
  readonly offline: boolean;
  /** Why none can be made, such as an unknown name or a missing key; null when it can. */
  readonly problem: string | null;
}

/** Makes the model, and those that are asked when it refuses, as a run would, and asks it nothing. Never rejects. */
export async function diagnoseModel(
  options: Pick<HostOptions, "model" | "fallbackModels">,
): Promise<ModelDiagnosis> {
  try {
    await using host = createHost({ ...options, servers: {}, state: false, audit: false });
    const { api, name, offline } = host.model;
    return { name: `${api}/${name}`, offline, problem: null };
  } catch (thrown) {
    return { name: null, offline: false, problem: toHostError(thrown).message };
  }
}
