import { HostError } from "../errors.ts";
import type { Model } from "../types/model.ts";

/** The model that is used when a key is there and none is named. */
const defaultModel = "claude-opus-5";

/** Makes the models of each API. */
export interface ModelMakers {
  anthropic(name: string): Model;
  offline(): Model;
}

/**
 * The model of a name: `anthropic/NAME`, a bare Claude name, or `offline`. Without a name: Claude when there is a key,
 * else the offline model.
 * @throws HostError `model_unknown`, `model_key_missing`
 */
export function selectModel(name: string | undefined, hasKey: boolean, makers: ModelMakers): Model {
  if (name === undefined) return hasKey ? makers.anthropic(defaultModel) : makers.offline();
  if (name === "offline") return makers.offline();
  const claude = /^(?:anthropic\/)?(?<name>[^/\s]+)$/.exec(name)?.groups?.name;
  if (claude === undefined || !(name.startsWith("anthropic/") || name.startsWith("claude-"))) {
    const known = `anthropic/NAME (such as anthropic/${defaultModel}) and offline`;
    throw new HostError("model_unknown", `There is no model "${name}". Known are ${known}.`);
  }
  if (!hasKey) {
    throw new HostError(
      "model_key_missing",
      `The model "${name}" needs a key: set ANTHROPIC_API_KEY, or use the model "offline", which needs none.`,
    );
  }
  return makers.anthropic(claude);
}
