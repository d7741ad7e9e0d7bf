import type { AuthorizationServerMetadata } from "@modelcontextprotocol/client";
import { isObject } from "../../util/own.ts";

/** What an authorization server says of itself (RFC 8414, OpenID Connect Discovery), as far as it is used. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly authorizationEndpoint: string | null;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | null;
  readonly revocationEndpoint: string | null;
  /** Null: it does not say. */
  readonly challengeMethods: readonly string[] | null;
  /** Empty: it does not say. */
  readonly authMethods: readonly string[];
  /** What proofs of a key may be signed with (RFC 9449 section 5.1); empty: it gives no tokens that are bound to one. */
  readonly proofAlgorithms: readonly string[];
  readonly scopes: readonly string[];
  readonly takesMetadataDocuments: boolean;
  /** It names itself in its answers (RFC 9207). */
  readonly namesItself: boolean;
}

/** Null when a member that is needed is missing or of a wrong type. */
export function parseServerMetadata(value: unknown): AuthorizationServer | null {
  if (!isObject(value)) return null;
  const { issuer, token_endpoint: tokenEndpoint } = value;
  if (typeof issuer !== "string" || !isUrl(tokenEndpoint)) return null;
  return {
    issuer,
    authorizationEndpoint: urlOf(value.authorization_endpoint),
    tokenEndpoint,
    registrationEndpoint: urlOf(value.registration_endpoint),
    revocationEndpoint: urlOf(value.revocation_endpoint),
    challengeMethods: Array.isArray(value.code_challenge_methods_supported)
      ? texts(value.code_challenge_methods_supported)
      : null,
    authMethods: texts(value.token_endpoint_auth_methods_supported),
    proofAlgorithms: texts(value.dpop_signing_alg_values_supported),
    scopes: texts(value.scopes_supported),
    takesMetadataDocuments: value.client_id_metadata_document_supported === true,
    namesItself: value.authorization_response_iss_parameter_supported === true,
  };
}

/** The endpoints of a server without metadata (MCP 2025-03-26, fallbacks). That revision requires PKCE of them all. */
export function defaultServer(origin: string): AuthorizationServer {
  return {
    issuer: origin,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    registrationEndpoint: `${origin}/register`,
    revocationEndpoint: null,
    challengeMethods: ["S256"],
    authMethods: [],
    proofAlgorithms: [],
    scopes: [],
    takesMetadataDocuments: false,
    namesItself: false,
  };
}

/** The same in the SDK's form. */
export function sdkMetadata(server: AuthorizationServer): AuthorizationServerMetadata {
  return {
    issuer: server.issuer,
    authorization_endpoint: server.authorizationEndpoint ?? server.issuer,
    token_endpoint: server.tokenEndpoint,
    ...(server.registrationEndpoint === null ? {} : { registration_endpoint: server.registrationEndpoint }),
    response_types_supported: ["code"],
    ...(server.challengeMethods === null
      ? {}
      : { code_challenge_methods_supported: [...server.challengeMethods] }),
    token_endpoint_auth_methods_supported: [...server.authMethods],
    authorization_response_iss_parameter_supported: server.namesItself,
  };
}

function isUrl(value: unknown): value is string {
  return typeof value === "string" && URL.canParse(value);
}

function urlOf(value: unknown): string | null {
  return isUrl(value) ? value : null;
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((member) => typeof member === "string") : [];
}
