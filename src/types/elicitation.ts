import type { Json, JsonObject } from "./json.ts";

/** A choice of a field: what the server gets, and what the person reads. */
export interface ElicitationOption {
  readonly value: string;
  readonly title: string;
}

interface FieldText {
  /** The member of the answer's `content`. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

/** One field of a form, as its server described it (MCP `PrimitiveSchemaDefinition`). All texts are the server's. */
export type ElicitationField = FieldText &
  (
    | {
        readonly type: "string";
        readonly format?: "email" | "uri" | "date" | "date-time";
        readonly minLength?: number;
        readonly maxLength?: number;
        readonly default?: string;
      }
    | {
        readonly type: "number" | "integer";
        readonly minimum?: number;
        readonly maximum?: number;
        readonly default?: number;
      }
    | { readonly type: "boolean"; readonly default?: boolean }
    /** One of the options. */
    | { readonly type: "choice"; readonly options: readonly ElicitationOption[]; readonly default?: string }
    /** Any of the options, each at most once. */
    | {
        readonly type: "choices";
        readonly options: readonly ElicitationOption[];
        readonly minItems?: number;
        readonly maxItems?: number;
        readonly default?: readonly string[];
      }
  );

/** What a server wants to know: a form to fill in, or an address to open outside of the host. */
export type ElicitationAsked =
  | {
      readonly mode: "form";
      /** The server's words. */
      readonly message: string;
      readonly fields: readonly ElicitationField[];
      /** The same as JSON Schema: a flat object, nothing in it but what `fields` says. */
      readonly schema: JsonObject;
      /** What the person should know, as sentences of the host. */
      readonly warnings: readonly string[];
    }
  | {
      readonly mode: "url";
      readonly message: string;
      /** To be shown whole, and opened by nobody but the person. `https:`, or `http:` on this machine. */
      readonly url: string;
      readonly warnings: readonly string[];
    };

/** A call that runs on the server that asks. */
export interface AskingCall {
  readonly callId: string;
  readonly tool: string;
}

/** A question of a server to the person. Its texts are not escaped yet. */
export type ElicitationRequest = ElicitationAsked & {
  /** Unguessable, of this question only. */
  readonly id: string;
  readonly runId: string;
  readonly principal: string;
  readonly server: string;
  /** The call that needs the answer; several where the server runs several and does not say which. */
  readonly calls: readonly [AskingCall, ...AskingCall[]];
  /** Fires when nobody needs the answer any more: close the prompt. */
  readonly signal: AbortSignal;
};

/** `decline`: the person says no. `cancel`: they leave the question open. */
export type ElicitationAnswer =
  | {
      readonly action: "accept";
      /** Of a form: values by name of the field. A field with a default that is left out gets its default. */
      readonly content?: Readonly<Record<string, Json>>;
    }
  | { readonly action: "decline" | "cancel" };

/**
 * Asks the person. May take as long as it needs: the call's limits stand still. An answer that does not fit the fields
 * reaches the server as `cancel`, and a `warning` event says why; so does an error.
 */
export type Elicitor = (request: ElicitationRequest) => Promise<ElicitationAnswer> | ElicitationAnswer;
