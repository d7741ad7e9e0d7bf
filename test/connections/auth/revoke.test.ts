import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { revoke } from "../../../src/connections/auth/revoke.ts";
import { loadSdk } from "../../../src/connections/sdk.ts";
import type { FakeAuthServer, FakeAuthServerOptions } from "../../../src/testing/auth-server/options.ts";
import type { ServerAuth } from "../../../src/types/auth.ts";
import { never } from "../../fixtures/connections/connect.ts";
import { fakeAuth, openAuth } from "./setup.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** Logs in and has the tokens taken back by a client that says `later` of itself. */
async function loggedOut(
  fake: FakeAuthServer,
  auth: ServerAuth,
  later: ServerAuth = auth,
  send: typeof fetch = fetch,
): Promise<boolean> {
  const { connections, store } = openAuth(fake, { auth });
  await connections.ready(never);
  const [entry] = await store.list();
  if (entry === undefined) throw new Error("Nothing was kept.");
  return revoke({ sdk: await loadSdk(), fetch: send, auth: later }, entry[1]);
}

test.each<[string, FakeAuthServerOptions, ServerAuth]>([
  ["without a secret", {}, {}],
  [
    "with a secret in a header",
    { clients: [{ id: "app", secret: "s" }] },
    { clientId: "app", clientSecret: "s" },
  ],
  [
    "with a secret in the body",
    { clients: [{ id: "app", secret: "s" }], authMethods: ["client_secret_post"] },
    { clientId: "app", clientSecret: "s" },
  ],
  [
    "that signs an assertion",
    { clients: [{ id: "app", publicKey }], authMethods: ["private_key_jwt"] },
    { clientId: "app", privateKey },
  ],
  [
    "that signs an assertion and acts for itself",
    { clients: [{ id: "app", publicKey }], authMethods: ["private_key_jwt"] },
    { clientId: "app", privateKey, grant: "client_credentials" },
  ],
])("the tokens of a client %s are taken back where it got them", async (_, options, auth) => {
  const fake = await fakeAuth(options);
  expect(await loggedOut(fake, auth)).toBe(true);
  expect(fake.revoked.length).toBeGreaterThan(0);
});

test("an authorization server that does not believe the client took nothing back, and that is said", async () => {
  const fake = await fakeAuth({ clients: [{ id: "app", publicKey }], authMethods: ["private_key_jwt"] });
  expect(await loggedOut(fake, { clientId: "app", privateKey }, {})).toBe(false);
  expect(fake.revoked).toEqual([]);
});

test.each<[string, ServerAuth]>([
  ["client", { clientId: "new", clientSecret: "new-secret" }],
  ["issuer", { clientId: "app", clientSecret: "new-secret", issuer: "https://other.example" }],
])(
  "the secret of another %s that is configured by now is not sent to where the login came from",
  async (_, later) => {
    const fake = await fakeAuth({ clients: [{ id: "app", secret: "s" }] });
    const sent: RequestInit[] = [];
    const watched: typeof fetch = (input, init = {}) => {
      sent.push(init);
      return fetch(input, init);
    };
    expect(await loggedOut(fake, { clientId: "app", clientSecret: "s" }, later, watched)).toBe(false);
    expect(
      sent.map(({ headers, body }) => [new Headers(headers).get("authorization"), String(body)]),
    ).toEqual([[null, expect.not.stringContaining("new-secret")]]);
  },
);
