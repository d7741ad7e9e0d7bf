import type { Sdk } from "../sdk.ts";

/** Why a server refused a request, as its `WWW-Authenticate` header says (RFC 6750 section 3, RFC 9728 section 5.1). */
export interface Challenge {
  /** True: the token is good, and not for this (403, `insufficient_scope`). */
  readonly needsScope: boolean;
  readonly scope?: string;
  readonly resourceMetadata?: URL;
  /** It takes tokens that are bound to a key (RFC 9449 section 7.1). */
  readonly takesProofs: boolean;
}

/** The scheme at the beginning of the header, or after the parameters of another one. */
const proofScheme = /(?:^|,)\s*dpop(?:\s|$|,)/i;

/** Longer scopes are none. */
const mostScope = 4_000;

/** The challenge of an answer; null when it is no refusal that an authorization could change. */
export function readChallenge(sdk: Sdk, response: Response): Challenge | null {
  if (response.status !== 401 && response.status !== 403) return null;
  const { scope, resourceMetadataUrl, error } = sdk.extractWWWAuthenticateParams(response);
  const needsScope = response.status === 403;
  if (needsScope && error !== "insufficient_scope") return null;
  return {
    needsScope,
    takesProofs: proofScheme.test(response.headers.get("www-authenticate") ?? ""),
    ...(scope === undefined || scope.length > mostScope ? {} : { scope }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadata: resourceMetadataUrl }),
  };
}
