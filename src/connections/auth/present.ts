import type { Sdk } from "../sdk.ts";
import type { Proofs } from "./proof.ts";

/**
 * Sends a request with a token: as a bearer's, or with a fresh proof of the key that it is bound to (RFC 9449 section
 * 7.1). A nonce that the server asks for is taken over once, with another proof; later ones are remembered.
 */
export async function present(
  {
    sdk,
    proofs,
    fetch,
  }: { readonly sdk: Sdk; readonly proofs: Proofs; readonly fetch: typeof globalThis.fetch },
  input: string | URL | Request,
  init: RequestInit,
  token: string,
): Promise<Response> {
  const proof = await proofs.ofToken(token);
  if (proof === null) return fetch(input, withHeaders(init, { authorization: `Bearer ${token}` }));
  const { session } = proof;
  const url = new URL(typeof input === "object" && "url" in input ? input.url : input);
  const send = async () => {
    const signed = await session.buildProof({ htm: init.method ?? "GET", htu: url, accessToken: token });
    const response = await fetch(input, withHeaders(init, { authorization: `DPoP ${token}`, dpop: signed }));
    session.observeNonce(response, url);
    return response;
  };
  const before = session.nonceFor(url);
  const response = await send();
  if (!sdk.isDpopNonceChallenge(response) || session.nonceFor(url) === before) return response;
  await response.body?.cancel();
  return send();
}

function withHeaders(init: RequestInit, added: Readonly<Record<string, string>>): RequestInit {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return { ...init, headers };
}
