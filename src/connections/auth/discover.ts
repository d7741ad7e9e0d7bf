import { isObject } from "../../util/own.ts";
import type { Sdk } from "../sdk.ts";
import { authError } from "./auth-error.ts";
import type { Challenge } from "./challenge.ts";
import { type AuthorizationServer, defaultServer, parseServerMetadata, texts } from "./server-metadata.ts";

/** Who gives out tokens for a server, and for what. */
export interface Discovered {
  readonly authorizationServer: AuthorizationServer;
  /** The resource that tokens are for (RFC 8707). */
  readonly resource: string;
  /** What the resource knows, for a challenge that names no scope. */
  readonly scopes: readonly string[];
  /** `required`: it takes no tokens but those that are bound to a key (RFC 9728 section 2); `offered`: those too. */
  readonly proofs: "required" | "offered" | "none";
}

export interface DiscoverSettings {
  readonly sdk: Sdk;
  readonly server: URL;
  /** The guarded one. */
  readonly fetch: typeof fetch;
  /** The issuers that are wanted, the most wanted first; the first of them that the resource names is taken. */
  readonly preferred: readonly string[];
}

/**
 * Asks the server who authorizes for it: protected resource metadata (RFC 9728) where the challenge says, else at the
 * well-known places, then the authorization server's metadata in the order of MCP 2026-07-28. A server without any
 * is its own authorization server (MCP 2025-03-26).
 */
export async function discover(settings: DiscoverSettings, challenge: Challenge | null): Promise<Discovered> {
  const { server } = settings;
  const found = await resourceMetadata(settings, challenge);
  if (found === null) {
    const own = await serverMetadata(settings, `${server.origin}/`);
    return {
      authorizationServer: own ?? defaultServer(server.origin),
      resource: withoutFragment(server),
      scopes: [],
      proofs: "none",
    };
  }
  const resource = checkedResource(found, settings);
  const issuers = texts(found.authorization_servers);
  const issuer = settings.preferred.find((wanted) => issuers.includes(wanted)) ?? issuers[0];
  if (issuer === undefined || !URL.canParse(issuer))
    throw authError("its metadata names no authorization server");
  const authorizationServer = await serverMetadata(settings, issuer);
  if (authorizationServer === null) throw authError(`${issuer}, its authorization server, has no metadata`);
  return {
    authorizationServer,
    resource,
    scopes: texts(found.scopes_supported),
    proofs: proofsOf(found),
  };
}

function proofsOf(metadata: Record<string, unknown>): Discovered["proofs"] {
  if (metadata.dpop_bound_access_tokens_required === true) return "required";
  return texts(metadata.dpop_signing_alg_values_supported).includes("ES256") ? "offered" : "none";
}

/** Metadata of another resource would give this server's tokens to it, or its tokens to this one (RFC 9728 section 7.3). */
function checkedResource(metadata: Record<string, unknown>, { sdk, server }: DiscoverSettings): string {
  const { resource } = metadata;
  if (typeof resource !== "string" || !URL.canParse(resource) || resource.includes("#"))
    throw authError("its metadata names no resource");
  const fits = sdk.checkResourceAllowed({ requestedResource: server, configuredResource: resource });
  if (!fits) throw authError(`its metadata is that of another resource, ${resource}`);
  return resource;
}

async function resourceMetadata(
  settings: DiscoverSettings,
  challenge: Challenge | null,
): Promise<Record<string, unknown> | null> {
  const { server } = settings;
  const path = server.pathname.replace(/\/$/, "");
  const wellKnown = "/.well-known/oauth-protected-resource";
  const places = [
    ...(challenge?.resourceMetadata === undefined ? [] : [challenge.resourceMetadata]),
    ...(path === "" ? [] : [new URL(`${wellKnown}${path}${server.search}`, server)]),
    new URL(wellKnown, server),
  ];
  for (const place of places) {
    const found = await readJson(settings, place);
    if (found !== null) return found;
  }
  return null;
}

/**
 * What an authorization server, or an identity provider, says of itself; null when it says nothing. Rejects with
 * `server_unauthorized`.
 */
export async function serverMetadata(
  settings: Pick<DiscoverSettings, "sdk" | "fetch">,
  issuer: string,
): Promise<AuthorizationServer | null> {
  for (const { url } of settings.sdk.buildDiscoveryUrls(issuer)) {
    const found = await readJson(settings, url);
    if (found === null) continue;
    const parsed = parseServerMetadata(found);
    if (parsed === null) throw authError(`the metadata of ${issuer} cannot be used`);
    // Another issuer's metadata would send codes and credentials to it (RFC 8414 section 3.3).
    if (parsed.issuer !== issuer && `${parsed.issuer}/` !== issuer)
      throw authError(`the metadata of ${issuer} is that of another issuer`);
    return parsed;
  }
  return null;
}

/** A JSON object; null when there is none at this place. */
async function readJson(
  { fetch }: Pick<DiscoverSettings, "fetch">,
  url: URL,
): Promise<Record<string, unknown> | null> {
  const response = await fetch(url, {
    headers: { accept: "application/json", "mcp-protocol-version": "2025-11-25" },
  });
  if (response.status >= 500 && response.status !== 502)
    throw authError(`${url.origin} answered with HTTP ${response.status} when it was asked for its metadata`);
  if (!response.ok) return null;
  // Some servers answer every path with a page of theirs.
  const value: unknown = await response.json().catch(() => null);
  return isObject(value) ? value : null;
}

function withoutFragment(url: URL): string {
  const copy = new URL(url);
  copy.hash = "";
  return copy.href;
}
