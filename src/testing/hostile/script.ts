import type { JsonObject } from "../../types/json.ts";

/** A JSON-RPC error to answer with. */
export interface HostileError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A part of a raw answer: bytes as they are, or a proper response with its line break. `"$id"` in `utf8` becomes the request's id. */
export type RawPart =
  | { readonly utf8: string }
  | { readonly hex: string }
  | { readonly rpcResult: unknown }
  | { readonly rpcError: HostileError };

/** What happens to the server itself: `cut` breaks an answer off in its middle; `stop` lets it sleep for `ms`, or for ever. */
export interface HostileFault {
  readonly kind: "kill" | "stop" | "cut" | "close_input" | "close_output";
  readonly ms?: number;
}

/** A call to the client before the answer, such as `elicitation/create`. */
export interface ServerRequest {
  readonly method: string;
  readonly params?: JsonObject;
}

/**
 * How the server answers one method. The effects come in the order in which they are listed here. Without an answer of
 * its own the server answers as a well-behaved one would.
 */
export interface HostileStep {
  /** Another step for a tool's, prompt's or resource's name. */
  readonly byName?: Readonly<Record<string, HostileStep>>;
  /** Other steps for the first request, the second, and so on; the last one stays. */
  readonly inTurn?: readonly HostileStep[];
  /** Written to standard error, without waiting for a reader. */
  readonly stderr?: string | readonly string[];
  /** So many bytes to standard error: the server does nothing else until somebody has read them. */
  readonly stderrSyncBytes?: number;
  readonly delayMs?: number;
  /** Notifications, each `count` times. */
  readonly notify?: Notification | readonly Notification[];
  /** Progress of the request, if its sender asked for it. */
  readonly progress?: { readonly everyMs?: number; readonly count: number; readonly total?: number };
  readonly serverRequest?: ServerRequest;
  /** A request whose answer is not waited for. */
  readonly asks?: ServerRequest;
  /** In the place of an answer; a server that only slept answers then. */
  readonly fault?: HostileFault;
  /** A moment after the answer, while nothing is asked: its notifications, raw bytes, fault and exit. */
  readonly after?: HostileStep;
  /** No answer, ever. */
  readonly hang?: boolean;
  /** An HTTP status other than 200, with `body` as it is. */
  readonly status?: number;
  readonly body?: unknown;
  /** Of a `status`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The id that a response of this step names (`Mcp-Session-Id`), and that later steps with it require. */
  readonly session?: string;
  /** Refuses a request that still names a session. */
  readonly requireNoSessionHeader?: boolean;
  readonly result?: unknown;
  readonly rpcResult?: unknown;
  /** Answers in turn; the last one stays. `{jsonrpcError}` is an error, `{rawJson}` a result in its own words. */
  readonly results?: readonly unknown[];
  /** The result as JSON text, which may hold what no value can: double keys, huge numbers. */
  readonly rawJson?: string;
  readonly error?: HostileError;
  readonly raw?: readonly RawPart[];
  readonly rpcResultChunked?: { readonly result: unknown; readonly chunkBytes: number };
  /** The client's answer to `serverRequest`, as the text of the result. */
  readonly rpcResultFromClientAnswer?: boolean;
  /** A result that tells these environment variables of the server, `unset` for those it lacks. */
  readonly echoEnv?: readonly string[];
  /** The process ends with this code: after an answer if there is one of the step's own, else instead. */
  readonly exit?: number | boolean;
}

export interface Notification {
  readonly method: string;
  readonly params?: JsonObject;
  readonly count?: number;
}

/** What a hostile server does. JSON, so that another process can play it. */
export interface HostileScript {
  readonly era: "legacy" | "modern";
  readonly capabilities: JsonObject;
  /** How each method is answered. */
  readonly methods: Readonly<Record<string, HostileStep>>;
  /** In the place of these methods, but in its first process only. */
  readonly once?: Readonly<Record<string, HostileStep>>;
  /** Over HTTP: requests belong to a session, which a process does not know of another one. */
  readonly sessions?: boolean;
  /** Steps over HTTP: those of one method are taken in turn, and the last one with a result stays. */
  readonly steps?: readonly ({ readonly rpc: string } & HostileStep)[];
  /** Written to standard output before anything is read. */
  readonly beforeStdout?: readonly string[];
  /** Neither SIGTERM nor the end of its input ends the process. */
  readonly ignoreSigterm?: boolean;
}

/** One thing that the server saw. */
export interface Seen {
  readonly kind: "started" | "request" | "notification" | "response" | "invalid" | "fault";
  readonly method?: string;
  readonly params?: unknown;
  readonly id?: unknown;
  /** Of a response: the client's result or error. */
  readonly answer?: unknown;
  /** Over HTTP: the headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of `started`: the process, its arguments and the names of its environment variables. */
  readonly pid?: number;
  readonly argv?: readonly string[];
  readonly envNames?: readonly string[];
}
