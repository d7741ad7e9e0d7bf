import { expect, test } from "vitest";
import { never } from "../../fixtures/connections/connect.ts";
import { failureOf, fakeAuth, openAuth } from "./setup.ts";

test("a server that wants a login gets one: registered, with PKCE, for this resource, and its tools are called", async () => {
  const fake = await fakeAuth({ scopes: { "*": ["read"] } });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  expect((await opened.call("echo", { a: 1 })).content).toEqual([{ type: "text", text: 'echo {"a":1}' }]);
  expect(fake.authorizations).toMatchObject([{ clientId: "client-1", scope: "read", resource: fake.url }]);
  expect(fake.tokenRequests).toMatchObject([
    { grantType: "authorization_code", authMethod: "none", resource: fake.url, error: null },
  ]);
  expect(opened.asked).toMatchObject([{ server: "s", issuer: fake.issuer, scopes: ["read"] }]);
  expect(new URL(opened.asked[0]?.redirectUri ?? "").hostname).toBe("127.0.0.1");
  expect(fake.breaches).toEqual([]);
});

test.each([
  ["at the path", { resourceMetadata: "path" as const }],
  ["at the root", { resourceMetadata: "root" as const }],
  ["of OpenID Connect", { serverMetadata: "openid" as const }],
  ["of an issuer with a path", { issuerPath: "/tenant" }],
  [
    "of an issuer with a path, by OpenID Connect",
    { issuerPath: "/tenant", serverMetadata: "openid" as const },
  ],
  [
    "of an issuer with a path, by OpenID Connect's own place",
    { issuerPath: "/tenant", serverMetadata: "openid-appended" as const },
  ],
  ["of the server's own origin", { resourceMetadata: "none" as const, sameOrigin: true }],
  [
    "nowhere: the endpoints of 2025-03-26",
    {
      resourceMetadata: "none" as const,
      serverMetadata: "none" as const,
      sameOrigin: true,
      editRedirect: (url: URL) => url.searchParams.delete("iss"),
    },
  ],
])("metadata is found %s", async (_, options) => {
  const fake = await fakeAuth(options);
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  expect(opened.connections.status()).toMatchObject([{ state: "ready", tools: 1 }]);
  expect(fake.breaches).toEqual([]);
});

test("the places of an issuer with a path are asked in the order of the specification", async () => {
  const fake = await fakeAuth({ issuerPath: "/tenant", serverMetadata: "openid-appended" });
  await openAuth(fake).connections.ready(never);
  const asked = fake.requests.filter((line) => /openid|authorization-server/.test(line));
  expect(asked).toEqual([
    "GET /.well-known/oauth-authorization-server/tenant",
    "GET /.well-known/openid-configuration/tenant",
    "GET /tenant/.well-known/openid-configuration",
  ]);
});

test("without a scope in the challenge everything that the resource knows is asked for, and to stay logged in", async () => {
  const fake = await fakeAuth({
    scopesSupported: ["read", "write", "offline_access"],
    silentChallenge: true,
  });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  expect(fake.authorizations[0]?.scope).toBe("read write offline_access");
  expect(new URL(opened.asked[0]?.url ?? "").searchParams.get("prompt")).toBe("consent");
});

test("without any scope none is asked for", async () => {
  const fake = await fakeAuth();
  await openAuth(fake).connections.ready(never);
  expect(fake.authorizations).toMatchObject([{ scope: null }]);
});

test("a client metadata document comes before registration where the server takes one", async () => {
  const id = "https://host.example/client.json";
  const documents = { [id]: { client_id: id, redirect_uris: ["http://127.0.0.1/callback"] } };
  const taking = await fakeAuth({ documents });
  await openAuth(taking, { auth: { clientMetadataUrl: id } }).connections.ready(never);
  expect(taking.authorizations).toMatchObject([{ clientId: id }]);
  expect(taking.registrations).toEqual([]);
  const other = await fakeAuth();
  await openAuth(other, { auth: { clientMetadataUrl: id } }).connections.ready(never);
  expect(other.authorizations).toMatchObject([{ clientId: "client-1" }]);
});

test.each(["client_secret_basic", "client_secret_post"])(
  "a client that was registered before proves itself by %s",
  async (method) => {
    const clients = [{ id: "mine", secret: "its-own-secret" }];
    const fake = await fakeAuth({ clients, registration: false, authMethods: [method] });
    const auth = { clientId: "mine", clientSecret: "its-own-secret" };
    await openAuth(fake, { auth }).connections.ready(never);
    expect(fake.tokenRequests).toMatchObject([{ clientId: "mine", authMethod: method, error: null }]);
  },
);

test("a server that insists on secrets gives one at registration, and gets it back", async () => {
  const fake = await fakeAuth({ authMethods: ["client_secret_post"] });
  await openAuth(fake).connections.ready(never);
  expect(fake.tokenRequests).toMatchObject([{ authMethod: "client_secret_post", error: null }]);
});

test("where no client can be had the sentence says what to write", async () => {
  const fake = await fakeAuth({ registration: false });
  expect(await failureOf(openAuth(fake))).toContain('write its "clientId" into the server\'s "auth"');
});

test("the browser comes back to a port of this machine, and a visitor with another state is sent away", async () => {
  const fake = await fakeAuth();
  const pages: number[] = [];
  const opened = openAuth(fake, {
    authorize(request) {
      void (async () => {
        const stranger = new URL(request.redirectUri);
        stranger.search = "?code=evil&state=another";
        pages.push((await fetch(stranger)).status);
        pages.push((await fetch(await fake.visit(request.url))).status);
      })();
      return undefined;
    },
  });
  await opened.connections.ready(never);
  expect(pages).toEqual([400, 200]);
  await expect(fetch(opened.asked[0]?.redirectUri ?? "")).rejects.toThrow();
});

test("a program with an address of its own gets what comes back there by itself", async () => {
  const fake = await fakeAuth();
  const redirectUri = "https://program.example/callback";
  await openAuth(fake, { auth: { redirectUri } }).connections.ready(never);
  expect(fake.authorizations).toMatchObject([{ redirectUri }]);
});

test("where nobody can be asked the server fails with the line to type, and asks nobody for anything", async () => {
  const fake = await fakeAuth({ scopes: { "*": ["read"] } });
  const opened = openAuth(fake, { authorize: null });
  expect(await failureOf(opened)).toBe(
    `server_unauthorized: Server "s" (${fake.url}): it wants a login. Run: drawbridge login s.`,
  );
  expect(fake.registrations).toEqual([]);
});

test("a header of the config takes the place of every login", async () => {
  const fake = await fakeAuth();
  const opened = openAuth(fake, { config: { headers: { Authorization: "Bearer mine" } } });
  expect(await failureOf(opened)).toContain('Check its "headers"');
  expect(opened.asked).toEqual([]);
});
