import type { HostErrorCode } from "./error.ts";
import type { Json } from "./json.ts";
import type { DecisionSource, Executed } from "./outcome.ts";
import type { ResultLabels, ShadowVerdict } from "./policy.ts";
import type { ReadMethod } from "./tool.ts";

/** What every entry about a call says. Identity is the pair (server, tool); the alias is what the model saw. */
interface CallIdentity {
  readonly run: string;
  readonly turn: number;
  readonly call: string;
  readonly server: string;
  readonly tool: string;
  readonly alias: string;
  /** The request that was made, where it is not `tools/call`; `tool` is its name then too. */
  readonly method?: ReadMethod;
}

/**
 * The arguments as run: secrets replaced by value, and a keyed hash of the full bytes beside. `arguments` is null where
 * only the hash is kept.
 */
interface AuditedArguments {
  readonly arguments: Json;
  readonly argumentsHash: string;
}

/** What the audit log records. Written before (intent) and after (outcome) each side effect. */
export type AuditEntry =
  | { readonly kind: "run_started"; readonly run: string; readonly principal: string; readonly model: string }
  | ({
      readonly kind: "call_intended";
      readonly configHash: string;
      readonly definitionHash: string;
      readonly decision: "allow";
      readonly by: DecisionSource;
      readonly reason: string;
      readonly waitedMs: number;
      readonly attempt: number;
      /** What the policy that is tried out would have decided, where that differs; so below. */
      readonly shadow?: ShadowVerdict;
    } & CallIdentity &
      AuditedArguments)
  | ({
      readonly kind: "call_settled";
      /** Absent in records of earlier versions and of a call whose end was learnt after a restart; so are the next and `labels`. */
      readonly configHash?: string;
      readonly definitionHash?: string;
      readonly outcome: "answered" | "error_result" | "failed";
      readonly code?: HostErrorCode;
      readonly executed: Executed;
      readonly attempt: number;
      readonly ms: number;
      /** Bytes of the server's answer. */
      readonly bytesIn: number;
      /** Where its content comes from; absent for the host's own tools, too. */
      readonly labels?: ResultLabels;
    } & CallIdentity)
  | ({
      readonly kind: "call_denied";
      /** This and the hashes are absent in records of earlier versions. */
      readonly decision?: "deny";
      readonly configHash?: string;
      readonly definitionHash?: string;
      readonly by: DecisionSource;
      readonly reason: string;
      readonly unasked: boolean;
      readonly waitedMs: number;
      readonly shadow?: ShadowVerdict;
    } & CallIdentity &
      AuditedArguments)
  /** A proposal that never became a call: unknown name, malformed or invalid arguments, truncated. */
  | {
      readonly kind: "call_rejected";
      readonly run: string;
      readonly turn: number;
      readonly call: string;
      readonly alias: string;
      /** The tool that the alias stands for, and what it was; absent for a name that no tool has. */
      readonly server?: string;
      readonly tool?: string;
      readonly configHash?: string;
      readonly definitionHash?: string;
      /** A keyed hash of what the model wrote as arguments; absent in records of earlier versions. */
      readonly argumentsHash?: string;
      readonly code: HostErrorCode;
      readonly reason: string;
    }
  /** What of each answer of a turn went to the model, and what was kept aside. */
  | {
      readonly kind: "results_returned";
      readonly run: string;
      readonly turn: number;
      readonly results: readonly {
        readonly call: string;
        readonly bytesKept: number;
        readonly bytesCut: number;
      }[];
    }
  /** A server asked the person something. */
  | {
      readonly kind: "elicitation_asked";
      readonly run: string;
      readonly turn: number;
      readonly elicitation: string;
      readonly server: string;
      readonly calls: readonly string[];
      readonly mode: "form" | "url";
      readonly message: string;
      /** Names of the fields of a form. */
      readonly fields?: readonly string[];
      readonly url?: string;
    }
  /** Written before the server gets the answer. The values are not kept. */
  | {
      readonly kind: "elicitation_answered";
      readonly run: string;
      readonly turn: number;
      readonly elicitation: string;
      readonly server: string;
      readonly action: "accept" | "decline" | "cancel";
      /** Why it is not what a person said: nobody answered, or the answer did not fit. */
      readonly reason?: string;
      /** Names of the fields that were answered, and a keyed hash of all the values. */
      readonly fields?: readonly string[];
      readonly contentHash?: string;
      readonly waitedMs: number;
    }
  /** A server asked the host's model; written once that was decided, before the model is asked. */
  | {
      readonly kind: "sampling_decided";
      readonly run: string;
      readonly turn: number;
      readonly sampling: string;
      readonly server: string;
      readonly calls: readonly string[];
      readonly decision: "allow" | "deny";
      readonly by: DecisionSource;
      readonly reason: string;
      readonly waitedMs: number;
      readonly maxTokens: number;
      /** What the model is asked: secrets replaced by value, or null where only the hash is kept; a keyed hash beside. */
      readonly prompt: Json;
      readonly promptHash: string;
    }
  | {
      readonly kind: "sampling_answered";
      readonly run: string;
      readonly turn: number;
      readonly sampling: string;
      readonly server: string;
      readonly model: string;
      readonly outcome: "answered" | "failed";
      readonly code?: HostErrorCode;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly ms: number;
    }
  | { readonly kind: "run_ended"; readonly run: string; readonly stop: string; readonly turns: number };

/**
 * Where audit entries go, in order. `append` resolves once the entry is durable, and with it all before it; it rejects
 * when it cannot be, and so does every later one: then no call runs. A sink may gather entries for a short while;
 * `flush` makes it durable at once.
 */
export interface AuditSink {
  append(entry: AuditEntry): Promise<void>;
  flush?(): Promise<void>;
  /** Where a person finds the log, if it is a place. */
  readonly location?: string;
  close?(): Promise<void>;
}

/** How the audit log is kept. What is absent has its default. */
export interface AuditOptions {
  /** Takes the entries in the place of the files in the state folder. */
  readonly sink?: AuditSink;
  /** `hash`: of arguments and prompts only a keyed hash is kept. Default: `redacted`, secrets replaced. */
  readonly arguments?: "redacted" | "hash";
  /** `false`: calls also run where the log cannot be written; a warning says so once. Default: true. */
  readonly required?: boolean;
  /** Path of an Ed25519 private key in PEM: the heads in the state folder are signed with it. */
  readonly sign?: string;
  /** A file of the log that has grown this long is followed by a new one, bytes. Default: 64 MiB. */
  readonly rotateBytes?: number;
}
