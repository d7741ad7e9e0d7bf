import { HostError } from "../../errors.ts";
import type { StoredClient, StoredLogin } from "../../types/auth.ts";
import { oneLine } from "../../util/one-line.ts";
import { isObject } from "../../util/own.ts";
import { visibleLine } from "../../util/visible.ts";
import type { TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import { withoutNullMembers } from "./null-members.ts";
import { sdkMetadata } from "./server-metadata.ts";

/** A secret that ends within this time is as good as ended, ms. */
const marginMs = 60_000;

/** What a client may be called (RFC 6749 appendix A.1), in a length that an address can hold. */
const nameable = /^[\x20-\x7e]{1,2000}$/;
const mostSecret = 16_000;

/** How the host calls itself at authorization servers. */
const clientName = "Drawbridge";

/**
 * The client that the host is to this authorization server, in the order of MCP 2026-07-28: one that was registered
 * before, a client metadata document, dynamic registration (RFC 7591). What was registered at another issuer is never
 * used.
 */
export async function chooseClient(
  context: TokenContext,
  login: StoredLogin | null,
  redirectUri: string | null,
): Promise<StoredClient> {
  const { auth, found } = context;
  const { issuer, takesMetadataDocuments, registrationEndpoint } = found.authorizationServer;
  checkIssuer(context, login);
  const redirect = redirectUri === null ? {} : { redirectUri };
  if (auth.clientId !== undefined) return { origin: "config", id: auth.clientId, ...redirect };
  if (auth.clientMetadataUrl !== undefined && takesMetadataDocuments)
    return { origin: "document", id: auth.clientMetadataUrl, ...redirect };
  const known = login?.issuer === issuer ? login.client : null;
  if (known?.origin === "registration" && isUsable(known, redirectUri, context)) return known;
  if (registrationEndpoint === null || redirectUri === null) {
    throw authError(
      `${issuer} registers no clients by itself. Register one there, and write its "clientId" into the server's "auth"`,
    );
  }
  return register(context, redirectUri);
}

/** A client that somebody registered is of one authorization server, and its secret is for nobody else. */
export function checkIssuer({ auth, found }: TokenContext, login: StoredLogin | null): void {
  const { issuer } = found.authorizationServer;
  const first = login?.client.origin === "config" ? login.issuer : undefined;
  const bound = auth.issuer ?? (auth.clientId === undefined ? undefined : first);
  if (bound === undefined || bound === issuer) return;
  throw authError(
    `it names ${issuer} as its authorization server, and its client is for ${bound}. If the new one is right, write it as "issuer" into the server's "auth"`,
  );
}

function isUsable(client: StoredClient, redirectUri: string | null, { clock }: TokenContext): boolean {
  const ends = client.secretExpiresAt;
  return client.redirectUri === redirectUri && (ends === undefined || ends > clock.wall() + marginMs);
}

async function register(context: TokenContext, redirectUri: string): Promise<StoredClient> {
  const { sdk, found, fetch, secrets, id } = context;
  const { issuer, authMethods } = found.authorizationServer;
  // A program on a person's machine keeps no secret; some servers insist on giving it one.
  const isPublic = authMethods.length === 0 || authMethods.includes("none");
  const method = isPublic
    ? "none"
    : (authMethods.find((name) => name.startsWith("client_secret_")) ?? "none");
  try {
    const given = await sdk.registerClient(issuer, {
      metadata: sdkMetadata(found.authorizationServer),
      clientMetadata: {
        client_name: clientName,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: method,
        application_type: "native",
      },
      fetchFn: withoutNullMembers(fetch),
    });
    const { client_id: name, client_secret: secret, client_secret_expires_at: ends } = given;
    if (!nameable.test(name) || (secret?.length ?? 0) > mostSecret) throw new Error("not a usable client");
    if (secret !== undefined) secrets.register(`${id} client secret`, secret);
    return {
      origin: "registration",
      id: name,
      redirectUri,
      ...(secret === undefined ? {} : { secret }),
      ...(ends === undefined || ends === 0 ? {} : { secretExpiresAt: ends * 1000 }),
      ...(given.token_endpoint_auth_method === undefined
        ? {}
        : { authMethod: given.token_endpoint_auth_method }),
    };
  } catch (thrown) {
    // Where the endpoint is, or that nobody is there, says more.
    if (thrown instanceof HostError) throw thrown;
    const why =
      thrown instanceof sdk.RegistrationRejectedError
        ? ` (HTTP ${thrown.status})${refusalIn(secrets.redact(thrown.body))}`
        : "";
    throw authError(`${issuer} did not register the host as its client${why}`, thrown);
  }
}

/** The server's own words (RFC 7591 section 3.2.2), made fit to be shown; empty where it has none. */
function refusalIn(body: string): string {
  let said: unknown = null;
  try {
    said = JSON.parse(body);
  } catch {
    // A page of a proxy.
  }
  if (!isObject(said)) return "";
  const { error, error_description: text } = said;
  const words = [error, text].filter((one) => typeof one === "string" && one.trim() !== "");
  return words.length === 0 ? "" : `: ${visibleLine(oneLine(words.join(", "), 260))}`;
}
