import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { signAssertion } from "./assertions.ts";
import { authorize, type EndpointAnswer, register, revoke } from "./endpoints.ts";
import { createIdentityProvider } from "./identity-provider.ts";
import { resourceMetadataAt, serverMetadataAt } from "./metadata.ts";
import type { FakeAuthServer, FakeAuthServerOptions } from "./options.ts";
import { answerMessage } from "./resource.ts";
import { createAuthState, type FakeAuthState } from "./state.ts";
import { giveTokens } from "./token-endpoint.ts";

/**
 * Starts an OAuth 2.1 authorization server and an MCP server that it protects, each on a port of 127.0.0.1. Both are
 * strict, and both can be bent: what a client does wrong stands in `breaches`.
 */
export async function startFakeAuthServer(options: FakeAuthServerOptions = {}): Promise<FakeAuthServer> {
  const state = createAuthState(options);
  const resource = createServer((request, response) => void serve(state, request, response, "resource"));
  const issuer =
    options.sameOrigin === true
      ? resource
      : createServer((request, response) => void serve(state, request, response, "issuer"));
  const provider = createIdentityProvider(state);
  const servers = [...new Set([resource, issuer, provider])];
  for (const server of servers) await listen(server);
  state.issuer = `${originOf(issuer)}${options.issuerPath ?? ""}`;
  state.resource = `${originOf(resource)}/mcp`;
  state.provider.issuer = originOf(provider);
  const { clientId, privateKey } = state.provider;
  const renewNonces = () => {
    for (const side of ["issuer", "resource"] as const)
      state.nonces[side] = randomBytes(12).toString("base64url");
  };
  if (options.dpop === "nonce") renewNonces();
  return {
    url: state.resource,
    issuer: state.issuer,
    authorizations: state.authorizations,
    tokenRequests: state.tokenRequests,
    registrations: state.registrations,
    requests: state.requests,
    revoked: state.revoked,
    secrets: state.secrets,
    breaches: state.breaches,
    identityProvider: {
      issuer: state.provider.issuer,
      clientId,
      idToken: signAssertion({ iss: state.provider.issuer, sub: "ann", aud: clientId }, privateKey),
    },
    assertion: (claims = {}) => signAssertion({ sub: "workload", aud: state.issuer, ...claims }, privateKey),
    renewNonces,
    async visit(url) {
      const response = await fetch(url, { redirect: "manual" });
      const location = response.headers.get("location");
      if (location === null)
        throw new Error(`The authorization server answered ${response.status}: ${await response.text()}`);
      return location;
    },
    expireTokens: () => state.access.clear(),
    forgetClients: () => state.clients.clear(),
    async close() {
      await Promise.all(servers.map(stop));
    },
  };
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function serve(
  state: FakeAuthState,
  request: IncomingMessage,
  response: ServerResponse,
  role: "resource" | "issuer",
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  state.requests.push(`${request.method} ${url.pathname}`);
  const body = await textOf(request);
  const both = state.options.sameOrigin === true;
  const answer = (role === "issuer" || both ? await fromIssuer(state, request, url, body) : null) ??
    (role === "resource" ? fromResource(state, request, url, body) : null) ?? { status: 404 };
  const challenge = "challenge" in answer ? answer.challenge : undefined;
  const nonce = "nonce" in answer ? answer.nonce : undefined;
  const location = "location" in answer ? answer.location : undefined;
  response.writeHead(answer.status, {
    ...(answer.body === undefined ? {} : { "content-type": "application/json" }),
    ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    ...(nonce === undefined ? {} : { "dpop-nonce": nonce }),
    ...(location === undefined ? {} : { location }),
  });
  response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
}

async function fromIssuer(
  state: FakeAuthState,
  request: IncomingMessage,
  url: URL,
  body: string,
): Promise<EndpointAnswer | null> {
  const base = state.options.issuerPath ?? "";
  switch (`${request.method} ${url.pathname}`) {
    case `GET ${base}/authorize`:
      return authorize(state, url.searchParams);
    case `POST ${base}/register`:
      return register(state, parse(body));
    case `POST ${base}/token`:
      return giveTokens(state, credentialsOf(request), new URLSearchParams(body));
    case `POST ${base}/revoke`:
      return revoke(state, request.headers.authorization, new URLSearchParams(body));
    default: {
      const metadata = serverMetadataAt(state, url.pathname);
      return metadata === null ? null : { status: 200, body: metadata };
    }
  }
}

function fromResource(state: FakeAuthState, request: IncomingMessage, url: URL, body: string) {
  const metadata = resourceMetadataAt(state, url.pathname);
  if (metadata !== null) return { status: 200, body: metadata };
  if (url.pathname !== "/mcp") return null;
  if (request.method !== "POST") return { status: 405 };
  return answerMessage(state, credentialsOf(request), parse(body));
}

function credentialsOf({ headers }: IncomingMessage) {
  const proof = headers.dpop;
  return { authorization: headers.authorization, proof: Array.isArray(proof) ? proof.join() : proof };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
