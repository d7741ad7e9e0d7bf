import { HostError } from "../../errors.ts";
import type { AuthorizationRequest, StoredClient } from "../../types/auth.ts";
import { linkAbort } from "../../util/abort.ts";
import { oneLine } from "../../util/one-line.ts";
import { randomId } from "../../util/random-id.ts";
import { visibleLine } from "../../util/visible.ts";
import { untilAborted } from "../wait.ts";
import type { TokenContext } from "./auth-context.ts";
import { authError } from "./auth-error.ts";
import { checkUrl } from "./guarded-fetch.ts";
import type { Loopback } from "./loopback.ts";
import { sdkMetadata } from "./server-metadata.ts";
import type { CodeAnswer } from "./token-request.ts";

/** How long a person may take, in ms. */
const longestMs = 10 * 60_000;

/** What a person is sent to the authorization server for. */
export interface PersonQuestion {
  readonly client: StoredClient;
  readonly scope: string | undefined;
  readonly redirectUri: string;
  /** Null where the program itself gets what comes back. */
  readonly loopback: Loopback | null;
  /** Why the person is asked once more. */
  readonly problem: string | null;
  readonly signal: AbortSignal;
}

/**
 * Whether a person can be sent there at all: asked before a client is registered for it.
 * @throws HostError `server_unauthorized`
 */
export function checkPage({ found, server, auth }: TokenContext): void {
  const { issuer, authorizationEndpoint, challengeMethods } = found.authorizationServer;
  if (authorizationEndpoint === null) throw authError(`${issuer} has no authorization endpoint`);
  const guard = { server, allowPrivateNetwork: auth.allowPrivateNetwork === true };
  checkUrl(new URL(authorizationEndpoint), guard);
  // Without PKCE a code that was stolen on its way could be redeemed (MCP 2026-07-28, authorization code protection).
  if (challengeMethods?.includes("S256") !== true)
    throw authError(`${issuer} does not say that it supports PKCE with S256, and is not used without`);
}

/**
 * Sends the person to the authorization server and reads what they bring back: the code, of this very request and of
 * this very issuer (PKCE S256, `state`, RFC 9207). Rejects with `server_unauthorized`.
 */
export async function askPerson(context: TokenContext, asking: PersonQuestion): Promise<CodeAnswer> {
  const { sdk, found, id, secrets, proof } = context;
  const { authorizationServer, resource } = found;
  const { issuer } = authorizationServer;
  const state = randomId("state", 32);
  const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(issuer, {
    metadata: sdkMetadata(authorizationServer),
    clientInformation: { client_id: asking.client.id },
    redirectUrl: asking.redirectUri,
    state,
    resource,
    ...(asking.scope === undefined ? {} : { scope: asking.scope }),
  });
  secrets.register(`${id} code verifier`, codeVerifier);
  // So that the code is of use with this key alone (RFC 9449 section 10).
  if (proof !== null) authorizationUrl.searchParams.set("dpop_jkt", proof.session.thumbprint);
  const request = {
    server: id,
    url: authorizationUrl.href,
    issuer,
    scopes: asking.scope?.split(" ") ?? [],
    redirectUri: asking.redirectUri,
    ...(asking.problem === null ? {} : { problem: asking.problem }),
  };
  const back = await waitForPerson(context, asking, request, state);
  const answer = readAnswer(context, back, state, asking.redirectUri);
  secrets.register(`${id} authorization code`, answer.code);
  return { ...answer, verifier: codeVerifier, redirectUri: asking.redirectUri };
}

async function waitForPerson(
  { authorize, clock }: TokenContext,
  { loopback, signal }: PersonQuestion,
  request: Omit<AuthorizationRequest, "signal">,
  state: string,
): Promise<string | URL> {
  const abort = linkAbort(signal);
  const cancel = clock.after(longestMs, () =>
    abort.abort(authError(`nobody logged in within ${longestMs / 60_000} minutes`)),
  );
  const came = loopback?.came(state) ?? new Promise<never>(() => {});
  const told = Promise.resolve(authorize?.({ ...request, signal: abort.signal })).then(
    (given) => given ?? (loopback === null ? Promise.reject(authError("nobody came back")) : came),
    (thrown: unknown) => {
      if (thrown instanceof HostError) throw thrown;
      throw authError("the login was given up", thrown);
    },
  );
  told.catch(() => {});
  try {
    return await untilAborted(Promise.race([came, told]), abort.signal);
  } finally {
    cancel();
    abort.abort();
    abort.end();
  }
}

/** What came back, checked in this order: whose it is, who sent it, and only then what it says. */
function readAnswer(
  { sdk, found }: TokenContext,
  back: string | URL,
  state: string,
  redirectUri: string,
): Pick<CodeAnswer, "code" | "issuer"> {
  const { issuer, namesItself } = found.authorizationServer;
  if (!URL.canParse(String(back), redirectUri)) throw authError("what came back from the browser is no URL");
  const answer = new URL(String(back), redirectUri).searchParams;
  if (answer.get("state") !== state)
    throw authError("what came back belongs to another login (its state is another one)");
  const named = answer.get("iss");
  try {
    sdk.validateAuthorizationResponseIssuer({
      iss: named ?? undefined,
      expectedIssuer: issuer,
      issParameterSupported: namesItself,
    });
  } catch (thrown) {
    throw authError(`what came back is not from ${issuer}`, thrown);
  }
  const error = answer.get("error");
  if (error !== null) throw authError(`${issuer} gave no access: ${oneLine(visibleLine(error), 100)}`);
  const code = answer.get("code");
  if (code === null || code === "") throw authError("what came back holds no code");
  return { code, issuer: named };
}
