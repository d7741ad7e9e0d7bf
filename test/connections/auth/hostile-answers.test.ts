import { expect, test } from "vitest";
import { never } from "../../fixtures/connections/connect.ts";
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
