import type { AskingCall, ElicitationAnswer, ElicitationAsked } from "./elicitation.ts";
import type { HostErrorCode } from "./error.ts";
import type { Usage } from "./model.ts";
import type { Verdict } from "./outcome.ts";
import type { ExecutionContext } from "./ports.ts";

/** A server's request to the host's model (MCP `sampling/createMessage`), read and bounded. */
export interface SamplingAsked {
  readonly system: string;
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly content: readonly (
      | { readonly type: "text"; readonly text: string }
      /** Base64 as the server sent it; not checked yet. */
      | { readonly type: "image"; readonly data: string; readonly mimeType: string }
    )[];
  }[];
  readonly maxTokens: number;
}

/** What the model answered, in MCP's words. */
export interface SamplingAnswer {
  readonly text: string;
  readonly model: string;
  readonly stopReason: "endTurn" | "maxTokens" | "stopSequence";
}

/** Where a server's request belongs. */
export interface AskedBy {
  readonly server: string;
  /** The calls that may need the answer: one where it is known. */
  readonly calls: readonly [AskingCall, ...AskingCall[]];
  /** Fires when nobody needs the answer any more. */
  readonly signal: AbortSignal;
}

/** Answers what a server asks while one of its calls runs. */
export interface CallInput extends AskingCall {
  /** Stops the limits of the call while somebody is waited for; the returned function lets them go on. */
  hold(): () => void;
  /** Never rejects: what cannot be asked is cancelled. */
  elicit(asked: ElicitationAsked, by: AskedBy): Promise<ElicitationAnswer>;
  /** Rejects with a `HostError` whose sentence the server may have. */
  sample(asked: SamplingAsked, by: AskedBy): Promise<SamplingAnswer>;
}

/** What a run answers to its servers with. */
export interface InputAnswerer {
  elicit(asked: ElicitationAsked, by: AskedBy, context: ExecutionContext): Promise<ElicitationAnswer>;
  sample(asked: SamplingAsked, by: AskedBy, context: ExecutionContext): Promise<SamplingAnswer>;
}

/** Records of what servers asked. */
export interface InputRecorder {
  /** Takes the record of a question: durable before a later record is. */
  asked(id: string, asked: ElicitationAsked, by: AskedBy, context: ExecutionContext): void;
  /** Resolves once the record is durable: only then may the server get the answer. */
  answered(
    id: string,
    answer: ElicitationAnswer,
    how: { readonly waitedMs: number; readonly reason?: string },
    by: AskedBy,
    context: ExecutionContext,
  ): Promise<void>;
  /** Resolves once the record is durable: only then may the model be asked. */
  samplingDecided(
    id: string,
    asked: SamplingAsked,
    verdict: Verdict,
    by: AskedBy,
    context: ExecutionContext,
  ): Promise<void>;
  samplingAnswered(
    id: string,
    end: {
      readonly model: string;
      readonly code?: HostErrorCode;
      readonly usage: Usage;
      readonly ms: number;
    },
    by: AskedBy,
    context: ExecutionContext,
  ): void;
}

/** The `instructions` of a server's handshake. */
export interface ServerInstructions {
  readonly server: string;
  readonly trusted: boolean;
  readonly text: string;
}
