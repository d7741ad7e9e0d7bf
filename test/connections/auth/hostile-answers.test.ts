import { expect, test } from "vitest";
import { never } from "../../fixtures/connections/connect.ts";
import { httpServer, sendJson } from "../../fixtures/connections/http-server.ts";
import { failureOf, fakeAuth, openAuth } from "./setup.ts";

test.each([
  ["holds a line break", (access: unknown) => ({ access_token: `${access}\r\nx-evil: 1` })],
  ["is no text of a header", () => ({ access_token: "t\u00f6ken-\u{1f600}" })],
  ["is empty", () => ({ access_token: "" })],
  ["is as long as a book", () => ({ access_token: "x".repeat(200_000) })],
  ["comes with a refresh token as long as a book", () => ({ refresh_token: "x".repeat(200_000) })],
])("a token that %s is not taken, and is not in the sentence", async (_, edit) => {
  const fake = await fakeAuth({ editTokens: (tokens) => ({ ...tokens, ...edit(tokens.access_token) }) });
  const opened = openAuth(fake);
  const failure = await failureOf(opened);
  expect(failure).toMatch(/gave a token that cannot be sent|did not answer the request for a token/);
  for (const secret of fake.secrets) expect(failure).not.toContain(secret);
  expect(failure.length).toBeLessThan(500);
  expect(await opened.store.list()).toEqual([]);
});

test.each([1e300, 9e15, -5, 0])(
  "a life of %d seconds is kept as a time that there is",
  async (expires_in) => {
    const fake = await fakeAuth({ editTokens: (tokens) => ({ ...tokens, expires_in }) });
    const opened = openAuth(fake, { authorize: "agree" });
    await opened.connections.ready(never).catch(() => {});
    const [[, login] = []] = await opened.store.list();
    const { expiresAt = 0, obtainedAt = 0 } = login?.tokens ?? {};
    expect(new Date(expiresAt).getFullYear()).toBeLessThan(2100);
    expect(expiresAt).toBeGreaterThanOrEqual(obtainedAt);
  },
);

test("a resource that knows a book of scopes does not become an address as long as a book", async () => {
  const fake = await fakeAuth({
    silentChallenge: true,
    scopesSupported: [...Array(20_000).keys()].map((number) => `scope-${number}`),
  });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  expect(opened.asked[0]?.scopes).toEqual([]);
  expect(opened.asked[0]?.url.length).toBeLessThan(1_000);
});

test("for another resource's metadata its authorization server is not even asked", async () => {
  const fake = await fakeAuth({
    editResourceMetadata: (metadata) => ({ ...metadata, resource: "https://bank.example/mcp" }),
  });
  expect(await failureOf(openAuth(fake))).toContain("another resource");
  expect(fake.requests.filter((line) => line.includes("authorization-server"))).toEqual([]);
});

test("a page's own parameters replace none of the host's", async () => {
  const evil = new URLSearchParams({
    redirect_uri: "https://evil.example/",
    client_id: "evil",
    state: "fixed",
    code_challenge: "fixed",
    code_challenge_method: "plain",
    response_type: "token",
    resource: "https://bank.example/",
  });
  const fake = await fakeAuth({
    editServerMetadata: (metadata) => ({
      ...metadata,
      authorization_endpoint: `${metadata.authorization_endpoint}?${evil}&redirect_uri=https://evil.example/`,
    }),
  });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  const { searchParams } = new URL(opened.asked[0]?.url ?? "");
  for (const [name, value] of evil) {
    expect(searchParams.getAll(name).length).toBe(1);
    expect(searchParams.get(name)).not.toBe(value);
  }
  expect(fake.breaches).toEqual([]);
});

test.each([
  ["a name with a line break", { client_id: "a\r\nb" }],
  ["a name as long as a book", { client_id: "x".repeat(100_000) }],
  ["a secret as long as a book", { client_secret: "x".repeat(100_000) }],
])("a registration that gives %s is none", async (_, given) => {
  const fake = await fakeAuth({ editRegistration: (client) => ({ ...client, ...given }) });
  const opened = openAuth(fake);
  expect(await failureOf(opened)).toContain("did not register the host as its client");
  expect(opened.asked).toEqual([]);
});

const nothing = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

test("what a server writes as null is as good as left out: in its tokens, made new or not, and in what it registers", async () => {
  const fake = await fakeAuth({
    editTokens: (tokens) => ({ ...tokens, ...nothing("scope", "expires_in", "id_token", "created_at") }),
    editRegistration: (client) => ({
      ...client,
      ...nothing("client_secret", "client_secret_expires_at", "scope", "logo_uri", "contacts", "jwks"),
    }),
  });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  fake.expireTokens();
  expect(await opened.call("echo")).toMatchObject({ isError: false });
  expect(fake.tokenRequests.map(({ grantType, error }) => [grantType, error])).toEqual([
    ["authorization_code", null],
    ["refresh_token", null],
  ]);
  expect(opened.asked).toHaveLength(1);
});

test("a client's own grant may come with nulls too", async () => {
  const fake = await fakeAuth({
    clients: [{ id: "mine", secret: "its-own-secret" }],
    editTokens: (tokens) => ({ ...tokens, ...nothing("scope", "expires_in", "refresh_token") }),
  });
  const auth = { grant: "client_credentials", clientId: "mine", clientSecret: "its-own-secret" } as const;
  await openAuth(fake, { auth }).connections.ready(never);
});

test("why a server registers nobody is told in its words, on one line", async () => {
  const refusing = await httpServer((_, response) => {
    const words = { error: "invalid_redirect_uri", error_description: "No loopback\n\u001b[2Jhere" };
    sendJson(response, words, {}, 400);
  });
  const fake = await fakeAuth({
    editServerMetadata: (own) => ({ ...own, registration_endpoint: refusing.url }),
  });
  const failure = await failureOf(openAuth(fake));
  expect(failure).toContain(
    "did not register the host as its client (HTTP 400): invalid_redirect_uri, No loopback \\u001b[2Jhere.",
  );
});

test("of a place for registrations where nobody is, it is said that nobody is there", async () => {
  const gone = await httpServer(() => {});
  await gone.close();
  const fake = await fakeAuth({
    editServerMetadata: (own) => ({ ...own, registration_endpoint: gone.url }),
  });
  expect(await failureOf(openAuth(fake))).toContain("cannot be reached");
});
