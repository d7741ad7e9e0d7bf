import type { Message } from "./message.ts";
import type { Usage } from "./model.ts";
import type { CallOutcome } from "./outcome.ts";
import type { ResultLabels } from "./policy.ts";
import type { ToolRoute } from "./tool.ts";

/** Version of the records below. Readers refuse a greater one; later versions only add kinds and fields. */
export type JournalVersion = 1;

/**
 * What a stored conversation consists of, one JSON object a line, flushed before the side effect it announces.
 * A call with `call_intended` and without `call_settled` has an unknown outcome after a crash.
 */
export type JournalRecord =
  | {
      readonly kind: "journal_opened";
      readonly v: JournalVersion;
      readonly id: string;
      readonly at: string;
      readonly principal: string;
      /** The folder in which it began. */
      readonly cwd?: string;
    }
  | {
      readonly kind: "run_started";
      readonly at: string;
      readonly run: string;
      /** `api/name` */
      readonly model: string;
      readonly system: string;
      /** That this run says of all content where it comes from. */
      readonly labelled?: true;
    }
  | { readonly kind: "message_appended"; readonly run: string; readonly message: Message }
  | {
      readonly kind: "call_intended";
      readonly run: string;
      readonly call: string;
      readonly server: string;
      readonly tool: string;
      readonly definitionHash: string;
      readonly attempt: number;
    }
  /** The server goes on with the call as a task (MCP tasks): it can be asked for the end also after a crash. */
  | {
      readonly kind: "call_task";
      readonly run: string;
      readonly call: string;
      readonly server: string;
      readonly tool: string;
      /** The server's own id of it. */
      readonly task: string;
    }
  | {
      readonly kind: "call_settled";
      readonly run: string;
      readonly call: string;
      readonly outcome: CallOutcome;
      /** Where its content comes from; absent in records of earlier versions, and for the host's own tools. */
      readonly labels?: ResultLabels;
    }
  /** What else the run brings into the conversation: of a server's resource or prompt, or of nobody knows where. */
  | {
      readonly kind: "content_read";
      readonly run: string;
      readonly from: ToolRoute | null;
      readonly labels: ResultLabels;
    }
  /** The server does not go on with a call that was sent until the person has answered; `call_resumed` follows. */
  | {
      readonly kind: "call_waiting";
      readonly run: string;
      readonly call: string;
      readonly elicitation: string;
      /** The server's words, secrets replaced. */
      readonly message: string;
    }
  /** The server is about to get the answer, whatever it is. */
  | {
      readonly kind: "call_resumed";
      readonly run: string;
      readonly call: string;
      readonly elicitation: string;
    }
  /** Earlier results that the model does not get any more, each with the text that stands for it; the messages stay. */
  | {
      readonly kind: "context_compacted";
      readonly run: string;
      /** `kept` is the id under which the run kept the whole text. */
      readonly results: readonly {
        readonly call: string;
        readonly text: string;
        readonly kept?: string;
      }[];
    }
  | {
      readonly kind: "run_ended";
      readonly at: string;
      readonly run: string;
      readonly stop: string;
      readonly turns: number;
      readonly usage: Usage;
      /** Turns of the whole conversation so far. */
      readonly totalTurns?: number;
    };

/**
 * One stored conversation. `append` resolves once the record is durable, and with it all before it; it rejects when
 * it cannot be, and so does every later one. Records may be gathered for a short while; `flush` makes them durable at once.
 */
export interface Journal {
  readonly id: string;
  /** How long it is with all its durable records, in bytes: `Stores.openJournal` takes it the next time. */
  readonly end?: number | undefined;
  append(record: JournalRecord): Promise<void>;
  flush?(): Promise<void>;
  close(): Promise<void>;
}

/** A journal as it was read: parsed, and nothing of it checked but its opening. */
export interface JournalReading {
  /** Oldest first, without the opening. Kinds that nobody knows yet are among them. */
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Complete lines that are no records. */
  readonly unreadable: number;
  /** Its length up to its last complete line, in bytes; see `Journal.end`. */
  readonly end: number;
}
