import type { AuditQuery } from "../../../index.ts";
import { parseMoment } from "./since.ts";

/** Which calls are wanted, as they were typed. */
export interface AuditFilters {
  readonly run?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly decision?: "allow" | "deny";
  readonly outcome?: "answered" | "error" | "failed" | "unknown";
  /** How long ago, or a date. */
  readonly since?: string;
  readonly until?: string;
}

/** @throws HostError `config_invalid`: a time that cannot be read */
export function queryOf(filters: AuditFilters): AuditQuery {
  const { run, server, tool, decision, outcome, since, until } = filters;
  const now = Date.now();
  return {
    ...(run === undefined ? {} : { run }),
    ...(server === undefined ? {} : { server }),
    ...(tool === undefined ? {} : { tool }),
    ...(decision === undefined ? {} : { decision }),
    ...(outcome === undefined ? {} : { outcome: outcome === "error" ? "error_result" : outcome }),
    ...(since === undefined ? {} : { since: parseMoment("--since", since, now) }),
    ...(until === undefined ? {} : { until: parseMoment("--until", until, now) }),
  };
}
