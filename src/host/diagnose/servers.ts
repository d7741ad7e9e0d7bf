import { toHostError } from "../../errors.ts";
import { createHost } from "../../host.ts";
import type { HostOptions } from "../../types/config.ts";
import type { ServerDrift } from "../../types/drift.ts";
import type { ErrorSummary } from "../../types/error.ts";
import type { ServerStatus } from "../../types/events.ts";
import type { Host } from "../../types/host.ts";
import type { Model } from "../../types/model.ts";
import type { CatalogWarning, QuarantinedTool } from "../../types/tool.ts";

/** How one server starts. */
export interface ServerDiagnosis {
  readonly status: Exclude<ServerStatus, { state: "starting" }>;
  /** Tools kept from the model, each with its reason. */
  readonly quarantined: readonly QuarantinedTool[];
  /** Look-alike names, and descriptions that speak of other servers' tools. */
  readonly warnings: readonly CatalogWarning[];
  /** How its tools differ from what they were, or are pinned as; null when it is down. */
  readonly drift: ServerDrift | null;
}

export interface ServersDiagnosis {
  /** By id. */
  readonly servers: readonly ServerDiagnosis[];
  /** Why none was started, such as two ids that are one name for the model; null when they were. */
  readonly problem: ErrorSummary | null;
  /** Rules that match nothing, a sentence each; absent where there is none. */
  readonly policyWarnings?: readonly string[];
  /** How many tools the model that was asked about is not offered but finds, and why; absent when it is offered all. */
  readonly behindSearch?: { readonly tools: number; readonly reason: string };
}

const tickMs = 250;

/**
 * Starts the servers beside each other, reads their tools and stops them. Nothing is called, nothing recorded.
 * Rejects with `aborted` alone.
 */
export async function diagnoseServers(
  options: Pick<HostOptions, "servers" | "limits" | "state" | "policy">,
  modelName: string | undefined,
  signal: AbortSignal | undefined,
  onWaiting: (servers: readonly string[]) => void,
): Promise<ServersDiagnosis> {
  const servers = Object.fromEntries(
    Object.entries(options.servers).map(([id, config]) => [id, { ...config, required: false }]),
  );
  if (Object.keys(servers).length === 0) return { servers: [], problem: null };
  try {
    await using host = createHost({ ...options, servers, model: "offline", audit: false });
    const starting = () =>
      host.status().flatMap(({ state, server }) => (state === "starting" ? [server] : []));
    const ticking = setInterval(() => onWaiting(starting()), tickMs);
    try {
      const snapshot = await host.tools(signal === undefined ? {} : { signal });
      const { quarantined } = snapshot;
      const drift = await host.drift(signal === undefined ? {} : { signal });
      const policyWarnings = await host.policyWarnings(signal === undefined ? {} : { signal });
      const behind = modelOf(host, modelName)?.behindSearch?.(snapshot, []) ?? null;
      const ended = host.status().filter((status) => status.state !== "starting");
      return {
        servers: ended.map((status) => ({
          status,
          quarantined: quarantined.filter(({ server }) => server === status.server),
          warnings: (snapshot.warnings ?? []).filter(({ server }) => server === status.server),
          drift: drift.find(({ server }) => server === status.server) ?? null,
        })),
        problem: null,
        ...(policyWarnings.length === 0 ? {} : { policyWarnings }),
        ...(behind === null ? {} : { behindSearch: { tools: behind.tools.length, reason: behind.reason } }),
      };
    } finally {
      clearInterval(ticking);
    }
  } catch (thrown) {
    const { code, message } = toHostError(thrown);
    if (signal?.aborted) throw thrown;
    return { servers: [], problem: { code, message } };
  }
}

/** Null for a model that cannot be asked: a missing key is told elsewhere. */
function modelOf(host: Host, name: string | undefined): Model | null {
  try {
    return name === undefined ? null : host.selectModel(name);
  } catch {
    return null;
  }
}
