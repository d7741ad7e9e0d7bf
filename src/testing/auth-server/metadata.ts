import { allAuthMethods, type FakeAuthState } from "./state.ts";

/** The authorization server's metadata at this path; null when it is not there. */
export function serverMetadataAt(state: FakeAuthState, path: string): object | null {
  const { options, issuer } = state;
  const issuerPath = options.issuerPath ?? "";
  const places = {
    oauth: `/.well-known/oauth-authorization-server${issuerPath}`,
    openid: `/.well-known/openid-configuration${issuerPath}`,
    "openid-appended": `${issuerPath}/.well-known/openid-configuration`,
    none: "",
  };
  if (path !== places[options.serverMetadata ?? "oauth"]) return null;
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    ...(options.registration === false ? {} : { registration_endpoint: `${issuer}/register` }),
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: options.authMethods ?? allAuthMethods,
    authorization_response_iss_parameter_supported: true,
    ...(options.dpop === undefined ? {} : { dpop_signing_alg_values_supported: ["RS256", "ES256"] }),
    ...(options.documents === undefined ? {} : { client_id_metadata_document_supported: true }),
    ...(options.scopesSupported === undefined ? {} : { scopes_supported: options.scopesSupported }),
  };
  return options.editServerMetadata?.(metadata) ?? metadata;
}

/** The protected resource's metadata at this path; null when it is not there. */
export function resourceMetadataAt(state: FakeAuthState, path: string): object | null {
  const { options, issuer, resource } = state;
  const root = "/.well-known/oauth-protected-resource";
  const places = { challenge: "/somewhere/else", path: `${root}/mcp`, root, none: "" };
  if (path !== places[options.resourceMetadata ?? "challenge"]) return null;
  const metadata = {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    ...(options.scopesSupported === undefined
      ? {}
      : { scopes_supported: options.scopesSupported.filter((scope) => scope !== "offline_access") }),
  };
  return options.editResourceMetadata?.(metadata) ?? metadata;
}
