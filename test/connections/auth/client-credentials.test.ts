import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { never } from "../../fixtures/connections/connect.ts";
import { failureOf, fakeAuth, openAuth } from "./setup.ts";

const clients = [{ id: "robot", secret: "robot-secret" }];
const auth = { grant: "client_credentials", clientId: "robot", clientSecret: "robot-secret" } as const;

test("a client with its own credentials needs no person, and makes its token new by itself", async () => {
  const fake = await fakeAuth({ clients, scopes: { "*": ["read"] } });
  const opened = openAuth(fake, { auth, authorize: null });
  await opened.connections.ready(never);
  fake.expireTokens();
  expect((await opened.call("echo")).isError).toBe(false);
  expect(fake.tokenRequests).toMatchObject([
    { grantType: "client_credentials", authMethod: "client_secret_basic", scope: "read", resource: fake.url },
    { grantType: "client_credentials", error: null },
  ]);
});

test("it may sign an assertion in the place of a secret", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const fake = await fakeAuth({ clients: [{ id: "robot", publicKey }], authMethods: ["private_key_jwt"] });
  const signing = { grant: "client_credentials", clientId: "robot", privateKey } as const;
  const opened = openAuth(fake, { auth: signing, authorize: null });
  await opened.connections.ready(never);
  expect(fake.tokenRequests).toMatchObject([{ authMethod: "private_key_jwt", error: null }]);
});

test("a person's login may be redeemed with a signed assertion as well", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const fake = await fakeAuth({ clients: [{ id: "app", publicKey }], authMethods: ["private_key_jwt"] });
  await openAuth(fake, { auth: { clientId: "app", privateKey } }).connections.ready(never);
  expect(fake.tokenRequests).toMatchObject([
    { grantType: "authorization_code", authMethod: "private_key_jwt", error: null },
  ]);
});

test("a call that needs more gets a token for the union", async () => {
  const fake = await fakeAuth({
    clients,
    scopes: { "tools/list": ["read"], "tools/call:write": ["write"] },
    tools: ["write"],
  });
  const opened = openAuth(fake, { auth, authorize: null });
  await opened.connections.ready(never);
  expect((await opened.call("write")).isError).toBe(false);
  expect(fake.tokenRequests.map(({ scope }) => scope)).toEqual(["read", "read write"]);
});

test("wrong credentials are told with the key to look at, and are not in the sentence", async () => {
  const fake = await fakeAuth({ clients });
  const opened = openAuth(fake, { auth: { ...auth, clientSecret: "another-secret" }, authorize: null });
  const failure = await failureOf(opened);
  expect(failure).toContain("invalid_client");
  expect(failure).toContain('Check "clientId"');
  expect(failure).not.toContain("another-secret");
});
