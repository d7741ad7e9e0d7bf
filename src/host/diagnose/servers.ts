import { toHostError } from "../../errors.ts";
import { createHost } from "../../host.ts";
import type { HostOptions } from "../../types/config.ts";
import type { ErrorSummary } from "../../types/error.ts";
import type { ServerStatus } from "../../types/events.ts";
import type { QuarantinedTool } from "../../types/tool.ts";

/** How one server starts. */
export interface ServerDiagnosis {
  readonly status: Exclude<ServerStatus, { state: "starting" }>;
  /** Tools kept from the model, each with its reason. */
  readonly quarantined: readonly QuarantinedTool[];
}

export interface ServersDiagnosis {
  /** By id. */
  readonly servers: readonly ServerDiagnosis[];
  /** Why none was started, such as two ids that are one name for the model; null when they were. */
  readonly problem: ErrorSummary | null;
}

const tickMs = 250;

/**
 * Starts the servers beside each other, reads their tools and stops them. Nothing is called, nothing recorded.
 * Rejects with `aborted` alone.
 */
export async function diagnoseServers(
  options: Pick<HostOptions, "servers" | "limits" | "state">,
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
      const { quarantined } = await host.tools(signal === undefined ? {} : { signal });
      const ended = host.status().filter((status) => status.state !== "starting");
      return {
        servers: ended.map((status) => ({
          status,
          quarantined: quarantined.filter(({ server }) => server === status.server),
        })),
        problem: null,
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
