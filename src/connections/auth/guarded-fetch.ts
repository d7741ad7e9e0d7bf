import type { HostError } from "../../errors.ts";
import type { HostFetchSettings } from "../../types/fetch.ts";
import type { Clock } from "../../types/ports.ts";
import { linkAbort } from "../../util/abort.ts";
import { codeOf } from "../error-members.ts";
import { refusedAddress } from "../fetch/lookup.ts";
import { type AddressKind, addressKind, hostKind, isThisMachine } from "./address-kind.ts";
import { authError } from "./auth-error.ts";

export interface GuardSettings {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** The MCP server, which a person chose: what is where it is may be reached too. */
  readonly server: URL;
  readonly allowPrivateNetwork: boolean;
}

const longestMs = 20_000;
const mostBytes = 512 * 1024;
const mostRedirects = 3;

/**
 * The `fetch` for everything that a server's metadata leads to (MCP, security best practices: server-side request
 * forgery): https only, http on this machine; no address of this machine or of a private network unless the server is
 * there itself; redirects of GET bounded and checked like the first URL, others not followed; bounded in time and size.
 * Rejects with `server_unauthorized`.
 */
export function createGuardedFetch(settings: GuardSettings): typeof fetch {
  return async (input, init) => {
    const abort = linkAbort(init?.signal ?? undefined);
    const cancel = settings.clock.after(longestMs, () =>
      abort.abort(
        authError(`what its authorization leads to did not answer within ${longestMs / 1000} seconds`),
      ),
    );
    try {
      let url = new URL(typeof input === "object" && "url" in input ? input.url : input);
      for (let followed = 0; ; followed++) {
        const response = await send(url, { ...init, signal: abort.signal }, settings);
        const next = (init?.method ?? "GET") === "GET" ? redirectOf(response, url) : null;
        if (next === null) return await readWhole(response, url);
        await response.body?.cancel();
        if (followed === mostRedirects) throw authError(`${url.origin} redirects too often`);
        url = next;
      }
    } finally {
      cancel();
      abort.end();
    }
  };
}

async function send(url: URL, init: RequestInit, settings: GuardSettings): Promise<Response> {
  checkUrl(url, settings);
  const kinds = allowedKinds(settings);
  const known = url.hostname === settings.server.hostname;
  const checking: RequestInit & HostFetchSettings = {
    ...init,
    redirect: "manual",
    ...(known ? {} : { mayConnectTo: (address: string) => kinds.has(addressKind(address)) }),
  };
  try {
    return await settings.fetch(url, checking);
  } catch (thrown) {
    if (init.signal?.aborted) throw init.signal.reason;
    if (causeCode(thrown) === refusedAddress) throw refused(url);
    throw authError(`${url.origin}, where its authorization leads, cannot be reached`, thrown);
  }
}

/** @throws HostError `server_unauthorized` for a URL that may not be fetched, or shown to a person to be visited. */
export function checkUrl(url: URL, settings: Pick<GuardSettings, "server" | "allowPrivateNetwork">): void {
  const kind = hostKind(url);
  const secure = url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url));
  if (!secure) throw authError(`its authorization leads to ${url.protocol}//${url.host}, which is not https`);
  if (url.username !== "" || url.password !== "")
    throw authError(`its authorization leads to a URL with a password, at ${url.host}`);
  if (kind === null || url.hostname === settings.server.hostname) return;
  if (!allowedKinds(settings).has(kind)) throw refused(url);
}

function refused(url: URL): HostError {
  return authError(
    `its authorization leads to ${url.host}, an address inside a private network. If that is right, write "allowPrivateNetwork": true into its "auth"`,
  );
}

function allowedKinds({
  server,
  allowPrivateNetwork,
}: Pick<GuardSettings, "server" | "allowPrivateNetwork">): ReadonlySet<AddressKind> {
  const place = hostKind(server);
  if (allowPrivateNetwork || place === "loopback") return new Set(["public", "private", "loopback"]);
  return new Set(place === "private" ? ["public", "private"] : ["public"]);
}

function redirectOf(response: Response, from: URL): URL | null {
  const location = response.headers.get("location");
  if (location === null || response.status < 300 || response.status > 399) return null;
  if (!URL.canParse(location, from.href)) throw authError(`${from.origin} redirects to what is no URL`);
  return new URL(location, from);
}

async function readWhole(response: Response, url: URL): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) throw authError(`${url.origin} answered with more than ${mostBytes / 1024} KiB`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  const empty = [101, 204, 205, 304].includes(status);
  return new Response(empty ? null : Buffer.concat(chunks), { status, statusText, headers });
}

function causeCode(thrown: unknown): unknown {
  return thrown instanceof Error ? codeOf(thrown.cause) : undefined;
}
