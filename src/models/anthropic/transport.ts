import type { Anthropic } from "@anthropic-ai/sdk";
import type { HostFetch, HostFetchSettings } from "../../types/fetch.ts";
import { joined } from "../wire/bytes.ts";
import { withShortError } from "../wire/post.ts";

/** What the transport needs to know. */
export interface TransportSettings {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly fetch: HostFetch;
  /** Milliseconds until the head of the answer must be there. */
  readonly headTimeoutMs: number;
}

/** Posts a body to the Messages API and gives the answer as it comes. */
export interface Transport {
  /** Rejects with an error of the SDK when the answer is none or no success. `path` goes behind that of messages. */
  post(chunks: readonly Uint8Array[], signal: AbortSignal, path?: "/count_tokens"): Promise<Response>;
}

/** The version of the API that this adapter is written for, the one of the installed SDK. */
const apiVersion = "2026-10-21";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * The official SDK as transport. Every option is given, and the headers on the wire are those of this function alone,
 * so that no environment variable that the SDK reads can change a request. Its retries are off. The SDK is heavy: it
 * is loaded from the first moment on, but nobody waits for it before the first request.
 */
export function createTransport(settings: TransportSettings): Transport {
  const loaded = loadClient(settings);
  // A failure to load is reported by the request that waits for it.
  loaded.catch(() => {});
  return {
    async post(chunks, signal, path) {
      const client = await loaded;
      const body = settings.fetch.bodyChunks === true ? chunks : joined(chunks);
      // The SDK hands what `fetchOptions` holds to our own fetch untouched, lists of chunks included.
      const options = { fetchOptions: { body }, signal, stream: true } as unknown as Anthropic.RequestOptions;
      return client.post(`/v1/messages${path ?? ""}`, options).asResponse();
    },
  };
}

async function loadClient(settings: TransportSettings): Promise<Anthropic> {
  const sdk = await import("@anthropic-ai/sdk");
  const headers = {
    accept: "text/event-stream",
    "anthropic-version": apiVersion,
    authorization: `Bearer ${settings.apiKey}`,
    "content-type": "application/json",
    "user-agent": "drawbridge-mcp",
  };
  return new sdk.Anthropic({
    apiKey: settings.apiKey,
    authToken: null,
    credentials: null,
    config: null,
    profile: null,
    webhookKey: null,
    baseURL: settings.baseUrl,
    timeout: settings.headTimeoutMs,
    maxRetries: 0,
    logLevel: "off",
    logger: silent,
    middleware: [],
    openTelemetry: false,
    defaultHeaders: {},
    defaultQuery: {},
    fetchOptions: {},
    // A redirect would carry the key to somewhere else. Asking a model twice has no side effect.
    async fetch(url, init) {
      const request = { ...init, headers, redirect: "manual", replayable: true } as RequestInit &
        HostFetchSettings;
      // The SDK reads an error to its end, however long it is.
      return withShortError(await settings.fetch(url, request));
    },
  });
}
