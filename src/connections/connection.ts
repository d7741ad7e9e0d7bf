import type { Client } from "@modelcontextprotocol/client";
import type { Authorize, TokenStore } from "../types/auth.ts";
import type { Limits, ServerConfig } from "../types/config.ts";
import type { Clock, Secrets } from "../types/ports.ts";
import type { Memo } from "../types/stores.ts";
import { longestTimerMs } from "../util/longest-timer.ts";
import type { DirectCall } from "./direct-call.ts";
import type { ProcessFacts, ServerFailures } from "./failure.ts";
import type { DeclaredOffers } from "./offers.ts";
import type { ClientIdentity, Era } from "./protocol.ts";
import type { ServerRequests } from "./server-requests/server-requests.ts";

/** For the SDK, which has no request without a time limit: its own limits are never what ends one. */
export const noTimeout: number = longestTimerMs;

/** An open connection to one server, past its handshake. */
export interface Connection {
  readonly client: Client;
  readonly era: Era;
  readonly protocolVersion: string;
  /** The server announces changes of its tool list. */
  readonly announcesTools: boolean;
  /** What it has beside tools. */
  readonly offers: DeclaredOffers;
  /** What the server says of its own use, or null. */
  readonly instructions: string | null;
  /** What the server may ask of the host. */
  readonly requests: ServerRequests;
  /** A call may say that it wants to become a task (MCP 2025-11-25, tasks). */
  readonly takesTasks: boolean;
  /** Goes into the `_meta` of every call. */
  readonly callMeta: Readonly<Record<string, unknown>>;
  /** Requests carry headers made of arguments, so the SDK has to know the tools (MCP 2026-07-28, `x-mcp-header`). */
  readonly mirrorsArguments: boolean;
  /** The id of the session that an HTTP server opened, as it is now (MCP 2025-11-25, session management). */
  readonly sessionId?: () => string | undefined;
  /** Sends calls beside the SDK's Client; null where each request has a stream of its own. */
  readonly direct: DirectCall | null;
  /** What is known of the child process; null when there is none. */
  readonly facts: () => ProcessFacts | null;
  /** How many messages of the server were of no use so far: no MCP, or no answer to anything that waits. */
  unusable(): number;
  /** The server has shown that it works: what was learnt of it may be remembered. */
  confirm(): void;
  /** Resolves when the connection has ended, however it did. */
  readonly ended: Promise<void>;
  /** It was opened with what an earlier process learnt of the server, without asking whether that still holds. */
  readonly isAssumed?: boolean;
  /** Bounded in time. */
  close(): Promise<void>;
}

/** What every way to open a connection needs. */
export interface OpenContext {
  readonly server: string;
  readonly config: ServerConfig;
  readonly identity: ClientIdentity;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly memo: Memo;
  readonly secrets: Secrets;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  /** On whose behalf servers are authorized, and where that is kept; null: not at all. */
  readonly access: AccessSettings | null;
  readonly failures: ServerFailures;
  /** What the server answered to `server/discover` in an earlier process, where it need not be asked again. */
  readonly discovery?: Readonly<Record<string, unknown>> | undefined;
  /** Fires when the start has to end: its deadline, or the host closes. */
  readonly signal: AbortSignal;
  /** What the server may ask of the host. */
  readonly requests: ServerRequests;
  readonly onToolsChanged: () => void;
  /** Waits for a person: the limit of the start stands still meanwhile. */
  readonly untimed: <T>(wait: () => Promise<T>) => Promise<T>;
  /** The lists of resources, templates or prompts may be others now. */
  readonly onOffersChanged: () => void;
}

/** Whose tokens are sent, and who is asked for more. */
export interface AccessSettings {
  readonly principal: string;
  readonly store: TokenStore;
  /** Null where there is nobody to ask. */
  readonly authorize: Authorize | null;
}
