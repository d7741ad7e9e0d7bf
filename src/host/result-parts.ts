import { createLabels } from "../consent/labels.ts";
import { createResultMapper, type ResultMapperSettings } from "../results/mapper.ts";
import type { HostOptions, ServerConfig } from "../types/config.ts";
import type { Stores } from "../types/stores.ts";
import type { WatchedLogins } from "./login-watch.ts";
import type { HostParts } from "./parts.ts";
import { createMarkers } from "./result-markers.ts";
import { createPrivacy } from "./server-privacy.ts";

interface ResultSettings extends Pick<ResultMapperSettings, "limits" | "validator" | "redact"> {
  readonly stores: Stores;
  readonly servers: readonly (readonly [id: string, config: ServerConfig])[];
  readonly logins: WatchedLogins;
}

/** What becomes of results: what the model gets of them, and where the host says that they come from. */
export function resultParts(
  { wrapResults }: HostOptions,
  { stores, servers, logins, ...mapping }: ResultSettings,
): Pick<HostParts, "results" | "wrapping" | "labelsOf" | "brought" | "readsOf"> {
  const wrapping = wrapResults === true;
  const marking = wrapping ? { markerOf: createMarkers(stores) } : {};
  return {
    results: createResultMapper({ ...mapping, ...marking, spill: stores.spill }),
    wrapping,
    labelsOf: createLabels(createPrivacy(servers, logins.hasLogin)),
    brought: new WeakMap(),
    readsOf: new WeakMap(),
  };
}
