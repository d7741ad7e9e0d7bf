import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { FakeAuthServer } from "../../../src/testing/auth-server/options.ts";
import type { ServerAuth } from "../../../src/types/auth.ts";
import { never } from "../../fixtures/connections/connect.ts";
import { failureOf, fakeAuth, openAuth } from "./setup.ts";

const clients = [{ id: "workload" }];
const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

const byAssertion = (assertion: string): ServerAuth => ({
  grant: "jwt_bearer",
  clientId: "workload",
  assertion,
});

const byProvider = ({ identityProvider }: FakeAuthServer, secret?: string): ServerAuth => ({
  grant: "jwt_bearer",
  clientId: "workload",
  ...(secret === undefined ? {} : { clientSecret: secret }),
  identityProvider,
});

test("a workload's assertion gets its tokens: nobody is asked, and they are made new by it", async () => {
  const fake = await fakeAuth({ clients, scopes: { "*": ["read"] } });
  const opened = openAuth(fake, { auth: byAssertion(fake.assertion()), authorize: null });
  await opened.connections.ready(never);
  fake.expireTokens();
  expect((await opened.call("echo")).isError).toBe(false);
  expect(fake.tokenRequests).toMatchObject([
    { grantType: jwtBearer, authMethod: "none", scope: "read", resource: fake.url, error: null },
    { grantType: jwtBearer, error: null },
  ]);
});

test("an identity provider's grant for the person gets them, for this authorization server and this server alone", async () => {
  const fake = await fakeAuth({ clients: [{ id: "workload", secret: "its-own-secret" }] });
  const opened = openAuth(fake, { auth: byProvider(fake, "its-own-secret"), authorize: null });
  await opened.connections.ready(never);
  expect((await opened.call("echo")).isError).toBe(false);
  expect(fake.requests.filter((line) => line.startsWith("idp "))).toEqual([
    "idp GET /.well-known/oauth-authorization-server",
    "idp GET /.well-known/openid-configuration",
    "idp POST /token",
  ]);
  expect(fake.tokenRequests).toMatchObject([
    { grantType: jwtBearer, authMethod: "client_secret_basic", error: null },
  ]);
  const secrets = [
    ...fake.secrets.filter((secret) => secret !== "its-own-secret"),
    fake.identityProvider.idToken,
  ];
  const said = opened.secrets.redact(secrets.join(" "));
  expect(secrets.length).toBeGreaterThan(2);
  for (const secret of secrets) expect(said).not.toContain(secret);
});

test("an assertion is not sent to an authorization server that it is not meant for, unless the config says so", async () => {
  const fake = await fakeAuth({ clients });
  const other = fake.assertion({ aud: "https://right.example" });
  expect(await failureOf(openAuth(fake, { auth: byAssertion(other), authorize: null }))).toContain(
    `its "assertion" is meant for another authorization server than ${fake.issuer}`,
  );
  expect(fake.tokenRequests).toEqual([]);
  const told = openAuth(fake, { auth: { ...byAssertion(other), issuer: fake.issuer }, authorize: null });
  expect(await failureOf(told)).toContain("invalid_grant");
});

test("a refused assertion is told at once: it is not tried again, and nothing else is", async () => {
  const fake = await fakeAuth({ clients });
  const ended = fake.assertion({ exp: 1 });
  const opened = openAuth(fake, { auth: byAssertion(ended), authorize: "agree" });
  const failure = await failureOf(opened);
  expect(failure).toContain("the authorization server refused: invalid_grant");
  expect(failure).not.toContain(ended);
  expect(fake.tokenRequests.length).toBe(1);
  expect(opened.asked).toEqual([]);
});

test("the file of an assertion is read anew for each token, and what is no token in it goes nowhere", async () => {
  const fake = await fakeAuth({ clients });
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-assertion-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const assertionFile = join(folder, "token");
  const auth = { grant: "jwt_bearer", clientId: "workload", assertionFile } as const;
  writeFileSync(assertionFile, `${fake.assertion()}\n`);
  const opened = openAuth(fake, { auth, authorize: null });
  await opened.connections.ready(never);
  const fresh = fake.assertion({ sub: "the same, later" });
  writeFileSync(assertionFile, fresh);
  fake.expireTokens();
  expect((await opened.call("echo")).isError).toBe(false);
  expect(fake.secrets).toContain(fresh);
  writeFileSync(assertionFile, "root:x:0:0");
  const failure = await failureOf(openAuth(fake, { auth, authorize: null }));
  expect(failure).toContain('its "assertion" is no signed token (JWT)');
  expect(failure).not.toContain("root:x");
  expect(fake.tokenRequests.length).toBe(2);
  rmSync(assertionFile);
  expect(await failureOf(openAuth(fake, { auth, authorize: null }))).toContain("cannot be read");
});

test.each([
  ["of another issuer", { issuer: "https://evil.example" }, "is that of another issuer"],
  ["that leads to no encryption", { token_endpoint: "http://evil.example/token" }, "is not https"],
  [
    "that leads to this machine's secrets",
    { token_endpoint: "https://169.254.169.254/t" },
    "private network",
  ],
])("an identity provider's metadata %s gets no identity token", async (_, edit, words) => {
  const fake = await fakeAuth({ clients, editProviderMetadata: (metadata) => ({ ...metadata, ...edit }) });
  expect(await failureOf(openAuth(fake, { auth: byProvider(fake), authorize: null }))).toContain(words);
  expect(fake.requests).not.toContain("idp POST /token");
  expect(fake.tokenRequests).toEqual([]);
});

test("what an identity provider refuses is told as its word, without the identity token", async () => {
  const fake = await fakeAuth({ clients });
  const auth = byProvider(fake);
  const wrong = { ...auth, identityProvider: { ...fake.identityProvider, clientId: "somebody-else" } };
  const failure = await failureOf(openAuth(fake, { auth: wrong, authorize: null }));
  expect(failure).toContain("the identity provider refused: invalid_client (the client is not known)");
  expect(failure).not.toContain(fake.identityProvider.idToken);
  expect(fake.tokenRequests).toEqual([]);
});

test("an authorization server that repeats what it was sent puts no assertion into the sentence", async () => {
  let assertion = "";
  const fake = await fakeAuth({
    clients,
    editTokens: () => ({ error: "invalid_request", error_description: `not this: ${assertion}` }),
  });
  assertion = fake.assertion();
  const failure = await failureOf(openAuth(fake, { auth: byAssertion(assertion), authorize: null }));
  expect(failure).toContain("invalid_request (not this: ");
  expect(failure).not.toContain(assertion.slice(0, 40));
});
