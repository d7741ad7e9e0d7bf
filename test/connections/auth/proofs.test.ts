import { expect, test } from "vitest";
import { never } from "../../fixtures/connections/connect.ts";
import { failureOf, fakeAuth, openAuth } from "./setup.ts";

test("tokens are bound to a key where the server asks for it: every request has a proof of its own, with the server's nonce", async () => {
  const fake = await fakeAuth({ dpop: "nonce" });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  const replies = await Promise.all([...Array(8).keys()].map((number) => opened.call("echo", { number })));
  expect(replies.every(({ isError }) => !isError)).toBe(true);
  expect(fake.tokenRequests.map(({ error, isProven }) => [error, isProven])).toEqual([
    ["use_dpop_nonce", false],
    [null, true],
  ]);
  const page = new URL(opened.asked[0]?.url ?? "");
  expect(page.searchParams.get("dpop_jkt")).toMatch(/^[\w-]{43}$/);
  fake.renewNonces();
  expect((await opened.call("echo")).isError).toBe(false);
  expect(opened.asked.length).toBe(1);
  expect(fake.breaches).toEqual([]);
});

test("the key is kept with the tokens: another connection proves with it, and makes them new with it", async () => {
  const fake = await fakeAuth({ dpop: "required" });
  const first = openAuth(fake);
  await first.connections.ready(never);
  const key = async () => (await first.store.list())[0]?.[1].tokens?.proofKey;
  const before = await key();
  expect(before?.d).toMatch(/^[\w-]{43}$/);
  fake.expireTokens();
  const second = openAuth(fake, { store: first.store, authorize: null });
  await second.connections.ready(never);
  expect((await second.call("echo")).isError).toBe(false);
  expect(fake.tokenRequests).toMatchObject([
    { grantType: "authorization_code", isProven: true },
    { grantType: "refresh_token", isProven: true, error: null },
  ]);
  expect(await key()).toEqual(before);
  expect(second.secrets.redact(`${before?.d}`)).not.toContain(before?.d);
  expect(fake.breaches).toEqual([]);
});

test("an authorization server that offers it alone is no reason, the config is", async () => {
  const fake = await fakeAuth({ dpop: "offered" });
  await openAuth(fake).connections.ready(never);
  expect(fake.tokenRequests).toMatchObject([{ isProven: false }]);
  await openAuth(fake, { auth: { dpop: true } }).connections.ready(never);
  expect(fake.tokenRequests).toMatchObject([{ isProven: false }, { isProven: true }]);
  expect(fake.breaches).toEqual([]);
});

test("the resource's metadata may ask for it as well", async () => {
  const fake = await fakeAuth({
    dpop: "offered",
    editResourceMetadata: (metadata) => ({ ...metadata, dpop_bound_access_tokens_required: true }),
  });
  await openAuth(fake).connections.ready(never);
  expect(fake.tokenRequests).toMatchObject([{ isProven: true, error: null }]);
});

test("a token that is bound is never sent as a bearer's, whatever the config says by then", async () => {
  const fake = await fakeAuth({ dpop: "required" });
  const first = openAuth(fake);
  await first.connections.ready(never);
  const later = openAuth(fake, { store: first.store, authorize: null, auth: { dpop: false } });
  await later.connections.ready(never);
  expect((await later.call("echo")).isError).toBe(false);
  expect(fake.breaches).toEqual([]);
});

test("a client's own tokens are bound as well", async () => {
  const fake = await fakeAuth({ dpop: "nonce", clients: [{ id: "robot", secret: "robot-secret" }] });
  const auth = { grant: "client_credentials", clientId: "robot", clientSecret: "robot-secret" } as const;
  const opened = openAuth(fake, { auth, authorize: null });
  await opened.connections.ready(never);
  expect((await opened.call("echo")).isError).toBe(false);
  expect(fake.tokenRequests.at(-1)).toMatchObject({ grantType: "client_credentials", isProven: true });
  expect(fake.breaches).toEqual([]);
});

test("where bound tokens are wanted and cannot be had nobody is asked, and none of another kind is taken", async () => {
  const without = await fakeAuth();
  const opened = openAuth(without, { auth: { dpop: true } });
  expect(await failureOf(opened)).toContain(
    `its "auth" wants tokens that are bound to a key, and ${without.issuer} gives none (DPoP with ES256)`,
  );
  expect([opened.asked, without.registrations]).toEqual([[], []]);
  const loose = await fakeAuth({
    dpop: "offered",
    editTokens: (tokens) => ({ ...tokens, token_type: "Bearer" }),
  });
  const taken = openAuth(loose, { auth: { dpop: true } });
  expect(await failureOf(taken)).toContain("gave a token that is bound to no key");
  expect(await taken.store.list()).toEqual([]);
});

test("a kept key that is damaged is told, and is not gone around", async () => {
  const fake = await fakeAuth({ dpop: "required" });
  const first = openAuth(fake);
  await first.connections.ready(never);
  const [[key, login] = []] = await first.store.list();
  if (key === undefined || !login?.tokens) throw new Error("There is no login.");
  const proofKey = { x: "AAAA", y: "AAAA", d: "AAAA" };
  await first.store.write(key, { ...login, tokens: { ...login.tokens, proofKey } });
  const later = openAuth(fake, { store: first.store, authorize: null });
  expect(await failureOf(later)).toContain("the key that its login is bound to cannot be used");
  expect(fake.breaches).toEqual([]);
});
