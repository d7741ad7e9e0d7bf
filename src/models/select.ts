import { HostError } from "../errors.ts";
import type { Model } from "../types/model.ts";
import { closest } from "../util/closest.ts";
import { own } from "../util/own.ts";

/** The model that is used when a key is there and none is named. */
const defaultModel = "claude-opus-5";

/** One API that models can be named of, as `api/NAME`. */
export interface SelectableApi {
  /** The environment variable with its key. */
  readonly keyVariable: string;
  /** Whether it can be asked: a key is there, or it wants none. */
  readonly ready: boolean;
  make(name: string): Model;
}

/** Everything that can be selected. `anthropic` is there always: it is the default. */
export interface Selectable {
  readonly apis: Readonly<Record<string, SelectableApi>> & { readonly anthropic: SelectableApi };
  offline(): Model;
}

/**
 * The API of a model's name: what stands in front of its first slash, or `anthropic` of a bare Claude name. Null for
 * any other name.
 */
export function apiOfModel(name: string): { readonly api: string; readonly model: string } | null {
  const parts = /^(?<api>[a-z][a-z0-9-]*)\/(?<model>\S+)$/.exec(name)?.groups;
  if (parts?.api !== undefined && parts.model !== undefined) return { api: parts.api, model: parts.model };
  return /^claude-[^/\s]+$/.test(name) ? { api: "anthropic", model: name } : null;
}

/**
 * The model of a name: `api/NAME`, a bare Claude name, or `offline`. Without a name: Claude when there is a key, else
 * the offline model.
 * @throws HostError `model_unknown`, `model_key_missing`
 */
export function selectModel(name: string | undefined, { apis, offline }: Selectable): Model {
  if (name === undefined) return apis.anthropic.ready ? apis.anthropic.make(defaultModel) : offline();
  if (name === "offline") return offline();
  const found = apiOfModel(name);
  const api = found === null ? undefined : own(apis, found.api);
  if (found === null || api === undefined) {
    const known = Object.keys(apis).map((key) => `${key}/NAME`);
    const near = found === null ? undefined : closest(found.api, Object.keys(apis));
    const meant = near === undefined ? "" : ` Did you mean "${near}/${found?.model}"?`;
    throw new HostError(
      "model_unknown",
      `There is no model "${name}". Known are ${known.join(", ")} (such as anthropic/${defaultModel}), and offline.${meant}`,
    );
  }
  if (!api.ready) {
    throw new HostError(
      "model_key_missing",
      `The model "${name}" needs a key: set ${api.keyVariable}, or use the model "offline", which needs none.`,
    );
  }
  return api.make(found.model);
}
