import { optionalSink } from "../audit/optional-sink.ts";
import { HostError } from "../errors.ts";
import { headSigner } from "../stores/audit-signature.ts";
import type { AuditOptions, AuditSink } from "../types/audit.ts";
import type { HostOptions } from "../types/config.ts";
import type { Clock } from "../types/ports.ts";
import type { AuditFileSettings, Stores } from "../types/stores.ts";
import { lazyAudit } from "./lazy-audit.ts";
import { promisingSink } from "./promising-sink.ts";

/** The audit log of a host, and what is kept of arguments in it. */
export interface HostAudit {
  /** Null when it is turned off. */
  readonly sink: AuditSink | null;
  readonly arguments: "redacted" | "hash";
}

export interface AuditParts {
  readonly stores: Stores;
  readonly principal: string;
  readonly clock: Clock;
  /** Tells whoever runs something that the log is damaged, or not written. */
  readonly tell: (sentence: string) => void;
}

const smallestFile = 4_096;

/**
 * The log that the options ask for.
 * @throws HostError `config_invalid`
 */
export function auditOf(audit: HostOptions["audit"], parts: AuditParts): HostAudit {
  if (audit === false) return { sink: null, arguments: "redacted" };
  const options: AuditOptions = audit === undefined ? {} : isSink(audit) ? { sink: audit } : audit;
  const { arguments: kept = "redacted", required = true } = options;
  check(options);
  const { stores, principal, clock, tell } = parts;
  const given = options.sink === undefined ? null : promisingSink(options.sink);
  const sink = given ?? lazyAudit(() => stores.openAudit(principal, fileSettings(options, tell)));
  return { sink: required ? sink : optionalSink(sink, clock, tell), arguments: kept };
}

function isSink(audit: AuditSink | AuditOptions): audit is AuditSink {
  return "append" in audit;
}

function fileSettings(
  { sign, rotateBytes }: AuditOptions,
  onProblem: (sentence: string) => void,
): AuditFileSettings {
  return {
    ...(sign === undefined ? {} : { sign }),
    ...(rotateBytes === undefined ? {} : { rotateBytes }),
    onProblem,
  };
}

/** What is wrong is said at the start, also where the log is not required. */
function check({ sink, arguments: kept, sign, rotateBytes }: AuditOptions): void {
  const complain = (problem: string): never => {
    throw new HostError("config_invalid", problem);
  };
  if (kept !== undefined && kept !== "redacted" && kept !== "hash") {
    complain('`audit.arguments` takes "redacted" or "hash".');
  }
  if (rotateBytes !== undefined && !(Number.isSafeInteger(rotateBytes) && rotateBytes >= smallestFile)) {
    complain(`\`audit.rotateBytes\` takes a whole number of at least ${smallestFile}.`);
  }
  if (sink !== undefined && (sign !== undefined || rotateBytes !== undefined)) {
    complain(
      "`audit.sign` and `audit.rotateBytes` are for the files in the state folder, not for a sink of your own.",
    );
  }
  if (sign !== undefined) headSigner(sign);
}
