import type { Approver } from "./approval.ts";
import type { AuditOptions, AuditSink } from "./audit.ts";
import type { Authorize, ServerAuth } from "./auth.ts";
import type { Elicitor } from "./elicitation.ts";
import type { Model } from "./model.ts";
import type { Flows } from "./policy.ts";
import type { ModelPrice } from "./price.ts";
import type { Stores } from "./stores.ts";
import type { TelemetryOptions } from "./telemetry.ts";

/** Settings that every kind of server has. */
interface ServerSettings {
  /** A run does not start without a required server. Default: true. */
  readonly required?: boolean;
  /** The operator's statement that this server's annotations may be believed. Default: false. */
  readonly trust?: boolean;
  /** Protocol era: `auto` asks the server. Default: `auto`. */
  readonly protocol?: "auto" | "modern" | "legacy";
  /** Longest time for one call of this server, milliseconds: replaces `limits.callHardMs`, and the idle limit where that is longer. */
  readonly timeout?: number;
  /** Raw names or globs of the tools that the model gets; one with `!` in front takes tools away. Default: all. */
  readonly tools?: readonly string[];
  /** True: the server is not started, as if it were not there. */
  readonly disabled?: boolean;
  /**
   * True: the server may ask the host's model (MCP sampling). Each request is asked about, unless a rule allows
   * `server/"sampling/createMessage"`, and counts against the run's budget. Default: false.
   */
  readonly sampling?: boolean;
  /** Folders and files that the server is told to work in (MCP roots). Default: none. */
  readonly roots?: readonly string[];
  /**
   * When calls become tasks that are followed to their end: `auto` where the server needs it or decides so itself, `always`
   * also where the tool leaves the choice, `never` not at all. Default: `auto`.
   */
  readonly tasks?: "auto" | "always" | "never";
  /**
   * What becomes of a tool whose definition is not the one that was seen before: `ask` announces it, `block` keeps it, and
   * every new tool, from the model until a person has accepted it (`drawbridge tools SERVER --pin`). Default: `ask`.
   */
  readonly drift?: "ask" | "block";
  /**
   * Whether what the server gives back is not for everybody: once a conversation has read such content and untrusted
   * content, calls that may carry it to others are asked about. Default: true for a server that holds credentials, for
   * a local one unless it is trusted and says that it is open-world, and where a tool says that it is closed.
   */
  readonly private?: boolean;
  /** Values of this config that must never be shown. Default: what looks like one, such as every value of `env`. */
  readonly secrets?: readonly ServerSecret[];
}

export interface ServerSecret {
  readonly name: string;
  readonly value: string;
}

/** A server that the host starts as a child process and talks to over stdin and stdout. */
export interface StdioServerConfig extends ServerSettings {
  readonly type?: "stdio";
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the allow-listed environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * A file to which everything on the server's standard error is appended, without secrets; made with mode 0600. Over 8 MiB
   * it is renamed to `FILE.1`. Default: only the last of it is kept, in memory.
   */
  readonly stderr?: string;
}

/** A server at a URL, over Streamable HTTP, or over the older HTTP+SSE where it turns that down, whatever its type. */
export interface HttpServerConfig extends ServerSettings {
  readonly type?: "http" | "streamable-http" | "sse";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** OAuth 2.1, for a server that asks for it. An `Authorization` header of `headers` takes its place. */
  readonly auth?: ServerAuth;
}

/**
 * The part of the MCP SDK's `Transport` that a host needs, so that any of its transports fits.
 * The host starts it, owns it from then on, and closes it.
 */
export interface HostTransport {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
}

/** A server behind a transport that the program made itself, such as the SDK's `InMemoryTransport`. */
export interface TransportServerConfig extends ServerSettings {
  readonly transport: HostTransport;
}

export type ServerConfig = StdioServerConfig | HttpServerConfig | TransportServerConfig;

/** One configured server, with the operator's word on whether its annotations may be believed. */
export interface ServerSetting {
  readonly id: string;
  readonly config: ServerConfig;
  readonly trusted: boolean;
}

/** Who decides what may run. */
export interface PolicyConfig {
  /** `allow|ask|deny|hide server/tool [condition …]`, raw names, `*` is any text in a name; docs/consent.md has the conditions. */
  readonly rules?: readonly string[];
  /** Rules above `rules`: where one of them matches a call, `rules` are not looked at. For whoever runs the program. */
  readonly administratorRules?: readonly string[];
  /** Rules to try out in the place of `rules`: where they would decide otherwise is told and recorded, never enforced. */
  readonly shadowRules?: readonly string[];
  /** The same, in the place of `administratorRules`. */
  readonly administratorShadowRules?: readonly string[];
  /** Rules of somebody who may not loosen anything, such as a project's file: `ask`, `deny` and `hide`. */
  readonly projectRules?: readonly string[];
  /**
   * Whether a call that may carry private content to others is asked about once untrusted content was read too; `@flow`
   * conditions of rules hold anyway. `always`: also where one of `rules` with such a condition allows it; one of
   * `administratorRules` still may. Default: `ask`.
   */
  readonly flows?: Flows;
  /** Ids of servers whose annotations the operator believes. */
  readonly trust?: readonly string[];
}

/** Every limit has a default: `defaultLimits`. Times are in milliseconds, sizes in bytes where not said otherwise. */
export interface Limits {
  /** From the start of a server to its first answer. */
  readonly serverStartMs: number;
  /** How long a server may take to say which era it speaks before `initialize` is sent as well. */
  readonly eraProbeMs: number;
  /** For one reading of a server's whole tool list. */
  readonly listMs: number;
  /** A call without any progress. */
  readonly callIdleMs: number;
  /** A call, whatever it reports. */
  readonly callHardMs: number;
  readonly callsPerServer: number;
  readonly callsPerRun: number;
  readonly messageBytes: number;
  readonly stderrTailBytes: number;
  readonly turns: number;
  readonly callsPerTurn: number;
  /** Tools that a model is offered; it finds the others by a search. 0 means as many as its API takes. */
  readonly offeredTools: number;
  /** Turns in a row whose calls bring nothing that the run did not know; half of them are told to the model. 0 means no limit. */
  readonly repeatedTurns: number;
  /** All calls of a run; 0 means no limit. */
  readonly calls: number;
  /** Input and output tokens of a run; 0 means no limit. */
  readonly tokens: number;
  /** Tokens that fit into a request with its answer; 0 means what is known of the model. */
  readonly contextTokens: number;
  /** US dollars of a run; 0 means no limit. A model whose price is not known then refuses to start. */
  readonly cost: number;
  /** Wall time of a run; 0 means no limit. */
  readonly runMs: number;
  readonly outputTokensPerResult: number;
  readonly outputTokensPerTurn: number;
  readonly modelRetries: number;
  /** Deadline for one model request with all its retries. */
  readonly modelRetryMs: number;
}

export interface HostOptions {
  /** By id. Any text is an id, except `drawbridge`. */
  readonly servers: Readonly<Record<string, ServerConfig>>;
  /** `api/name`, a Claude model's name, `offline`, or a Model. Default: Claude with a key, else `offline`. */
  readonly model?: string | Model;
  /** Asked in this order when the model refuses to answer; each is what `model` may be. Default: none. */
  readonly fallbackModels?: readonly (string | Model)[];
  /** Where the model's API is reached; it wins over the environment. */
  readonly baseUrl?: string;
  readonly system?: string;
  /** On whose behalf runs act. Default: the operating system's user name. */
  readonly principal?: string;
  readonly policy?: PolicyConfig;
  /** Asked when no rule decides. Without one such calls are denied. */
  readonly approve?: Approver;
  /** Asked when a server needs something of the person in the middle of a call. Without one no server may ask. */
  readonly elicit?: Elicitor;
  /**
   * Which servers' own instructions go behind the system prompt, marked as theirs, at most 2 KiB each: those of trusted
   * servers, of all, or none. Fixed at the start of a conversation. Default: `trusted`.
   */
  readonly instructions?: "trusted" | "all" | "none";
  /**
   * Takes a person through the authorization of an HTTP server, while it starts or when a call needs more scopes.
   * Without it a server that wants one fails with `server_unauthorized`.
   */
  readonly authorize?: Authorize;
  readonly limits?: Partial<Limits>;
  /** What models cost, by `api/name` or by name, beside and before the published prices that the package knows. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
  /**
   * `false` turns the log off; a sink replaces the files, and options say how they are kept. Default: files in the state
   * folder.
   */
  readonly audit?: AuditSink | AuditOptions | false;
  /**
   * Spans of runs, turns, requests, decisions and calls (OpenTelemetry), and the trace in the `_meta` of calls. `true`: by
   * the provider that is registered with `@opentelemetry/api`. Default: none.
   */
  readonly telemetry?: boolean | TelemetryOptions;
  /** Folder for state, stores of the program's own, or `false` to keep nothing. Default: the XDG state folder. */
  readonly state?: string | Stores | false;
  /** `false`: conversations are not stored; what runs is still recorded. Default: true. */
  readonly store?: boolean;
  /**
   * True: the model gets two tools more for each server with resources, `resources/list` and `resources/read`, under the
   * consent of that server's tools. Default: false, because every definition costs tokens in each request.
   */
  readonly resourceTools?: boolean;
  /**
   * True: what tools give back stands for the model between markers that no server can know, as data of its server.
   * Default: false.
   */
  readonly wrapResults?: boolean;
  /** Most tokens of one answer. Default: 16,000. */
  readonly maxTokens?: number;
}
