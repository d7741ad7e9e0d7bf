import type { StoredLogin } from "../../types/auth.ts";
import { type AuthContext, isUnattended } from "./auth-context.ts";
import type { Challenge } from "./challenge.ts";
import type { Discovered } from "./discover.ts";

/** More characters of scopes that a resource knows make no address that a person could visit: none is asked for. */
const mostKnown = 4_000;

/** Every scope of the lists once, in order; undefined for none. */
export function union(...lists: readonly (string | undefined)[]): string | undefined {
  const all = new Set(lists.flatMap((list) => (list ?? "").split(/\s+/)).filter((scope) => scope !== ""));
  return all.size === 0 ? undefined : [...all].join(" ");
}

/** Whether the wanted scopes hold one that was not granted. */
export function isMore(wanted: string | undefined, granted: string | undefined): boolean {
  const has = new Set((granted ?? "").split(/\s+/));
  return (wanted ?? "").split(/\s+/).some((scope) => scope !== "" && !has.has(scope));
}

/**
 * What to ask for (MCP 2026-07-28, scope selection): what the challenge says, else what the resource knows, never less
 * than what was granted before when a request wanted more.
 */
export function scopeToAsk(
  { auth }: Pick<AuthContext, "auth">,
  found: Discovered,
  challenge: Challenge | null,
  login: StoredLogin | null,
): string | undefined {
  const same = login?.issuer === found.authorizationServer.issuer ? login : null;
  const configured = auth.scopes?.join(" ");
  const granted = challenge?.needsScope === true ? same?.tokens?.scope : undefined;
  const named = challenge?.scope ?? same?.wantedScope;
  const all = named === undefined && configured === undefined ? union(...found.scopes) : undefined;
  const known = (all?.length ?? 0) > mostKnown ? undefined : all;
  const scope = union(configured, granted, challenge?.scope, same?.wantedScope, known);
  // A refresh token is what keeps a person from being asked again (OpenID Connect Core, section 11).
  const offline = !isUnattended(auth) && found.authorizationServer.scopes.includes("offline_access");
  return scope === undefined || !offline ? scope : union(scope, "offline_access");
}
