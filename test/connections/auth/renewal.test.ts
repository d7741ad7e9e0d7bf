import { expect, test } from "vitest";
import { createTokenMemory } from "../../../src/stores/token-memory.ts";
import { createTestClock } from "../../../src/testing/clock.ts";
import type { StoredLogin } from "../../../src/types/auth.ts";
import { never } from "../../fixtures/connections/connect.ts";
import { failureOf, fakeAuth, type Opened, openAuth } from "./setup.ts";

async function onlyLogin({ store }: Opened): Promise<StoredLogin> {
  const [[, login] = []] = await store.list();
  if (login === undefined) throw new Error("There is no login.");
  return login;
}

const grants = (fake: Awaited<ReturnType<typeof fakeAuth>>) =>
  fake.tokenRequests.map(({ grantType, error }) => (error === null ? grantType : `${grantType}: ${error}`));

test("a login is kept: the next connection asks nobody, and neither registers nor discovers anything", async () => {
  const fake = await fakeAuth();
  const first = openAuth(fake);
  await first.connections.ready(never);
  const before = fake.requests.length;
  const second = openAuth(fake, { store: first.store, authorize: null });
  await second.connections.ready(never);
  expect(fake.requests.slice(before).filter((line) => !line.endsWith(" /mcp"))).toEqual([]);
  expect(await onlyLogin(second)).toMatchObject({
    principal: "ann",
    issuer: fake.issuer,
    resource: fake.url,
  });
});

test("many calls with one token that has ended make it new once", async () => {
  const fake = await fakeAuth({ tokenDelayMs: 50 });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  fake.expireTokens();
  const replies = await Promise.all([...Array(20).keys()].map((number) => opened.call("echo", { number })));
  expect(replies.map(({ content }) => (content[0] as { text: string }).text)).toEqual(
    [...Array(20).keys()].map((number) => `echo {"number":${number}}`),
  );
  expect(grants(fake)).toEqual(["authorization_code", "refresh_token"]);
  expect(opened.asked.length).toBe(1);
  expect(fake.breaches).toEqual([]);
});

test("a token is made new before it ends, and the old one never meets a refusal", async () => {
  const fake = await fakeAuth({ expiresIn: 600 });
  const clock = createTestClock();
  const opened = openAuth(fake, { clock });
  await opened.connections.ready(never);
  await clock.advance(530_000);
  await opened.call("echo");
  expect(grants(fake)).toEqual(["authorization_code"]);
  await clock.advance(11_000);
  await opened.call("echo");
  await opened.call("echo");
  expect(grants(fake)).toEqual(["authorization_code", "refresh_token"]);
});

test("while it still holds a token is used although it could not be made new", async () => {
  let broken = false;
  const fake = await fakeAuth({
    expiresIn: 600,
    editTokens: (tokens) => (broken ? { nonsense: true } : tokens),
  });
  const clock = createTestClock();
  const opened = openAuth(fake, { clock });
  await opened.connections.ready(never);
  broken = true;
  await clock.advance(590_000);
  expect((await opened.call("echo")).isError).toBe(false);
});

test("a refresh token that is worth nothing any more leads to one more login, with the same client", async () => {
  const fake = await fakeAuth();
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  const login = await onlyLogin(opened);
  const [[key] = [""]] = await opened.store.list();
  if (login.tokens === null) throw new Error("There are no tokens.");
  await opened.store.write(key, { ...login, tokens: { ...login.tokens, refresh: "worthless" } });
  fake.expireTokens();
  const again = openAuth(fake, { store: opened.store });
  await again.connections.ready(never);
  expect(grants(fake)).toEqual(["authorization_code", "refresh_token: invalid_grant", "authorization_code"]);
  expect(fake.registrations).toEqual(["client-1"]);
  expect(again.asked.length).toBe(1);
});

test("a client that the server has forgotten is registered again", async () => {
  const fake = await fakeAuth();
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  fake.expireTokens();
  fake.forgetClients();
  const again = openAuth(fake, { store: opened.store });
  await again.connections.ready(never);
  expect(fake.registrations).toEqual(["client-1", "client-2"]);
  expect(grants(fake)).toEqual(["authorization_code", "refresh_token: invalid_client", "authorization_code"]);
});

test("when the server moves to another issuer nothing of the old one is sent to it", async () => {
  const old = await fakeAuth();
  const next = await fakeAuth();
  const first = openAuth(old);
  await first.connections.ready(never);
  const login = await onlyLogin(first);
  const store = createTokenMemory();
  const [[key] = [""]] = await first.store.list();
  await store.write(key.replace(old.url, next.url), { ...login, server: next.url });
  const second = openAuth(next, { store });
  await second.connections.ready(never);
  expect(grants(next)).toEqual(["authorization_code"]);
  expect(next.authorizations).toMatchObject([{ clientId: next.registrations[0] }]);
  expect(grants(old)).toEqual(["authorization_code"]);
});

test("a call that needs more gets the union of what was granted and what it needs, by a new authorization", async () => {
  const fake = await fakeAuth({
    scopes: { "tools/list": ["read"], "tools/call:write": ["write"] },
    tools: ["echo", "write"],
  });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  expect((await opened.call("write")).isError).toBe(false);
  expect((await opened.call("echo")).isError).toBe(false);
  expect(fake.authorizations.map(({ scope }) => scope)).toEqual(["read", "read write"]);
  expect(grants(fake)).toEqual(["authorization_code", "authorization_code"]);
});

test("where nobody can be asked such a call did not run, says what to type, and the next login asks for it", async () => {
  const fake = await fakeAuth({
    scopes: { "tools/list": ["read"], "tools/call:write": ["write"] },
    tools: ["write"],
  });
  const first = openAuth(fake);
  await first.connections.ready(never);
  const headless = openAuth(fake, { store: first.store, authorize: null });
  await headless.connections.ready(never);
  await expect(headless.call("write")).rejects.toMatchObject({
    code: "call_not_sent",
    data: { executed: "no" },
    message: expect.stringContaining("it wants more access (write). Run: drawbridge login s"),
  });
  fake.expireTokens();
  for (const [key, login] of await first.store.list())
    await first.store.write(key, { ...login, tokens: null });
  await openAuth(fake, { store: first.store }).connections.ready(never);
  expect(fake.authorizations.map(({ scope }) => scope)).toEqual(["read", "read write"]);
});

test("a server that wants ever more is given up after three authorizations", async () => {
  let wanted = 0;
  const needs = new Proxy({} as Record<string, readonly string[]>, {
    get: (_, name) => (name === "tools/call:echo" ? [`level-${++wanted}`] : []),
  });
  const fake = await fakeAuth({ scopes: needs });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  await expect(opened.call("echo")).rejects.toMatchObject({
    message: expect.stringContaining("still refuses access after 3 authorizations"),
  });
  await expect(opened.call("echo")).rejects.toMatchObject({ code: "call_not_sent" });
  expect(opened.asked.length).toBe(3);
});

test("a server that refuses every token is given up, too", async () => {
  const fake = await fakeAuth({ editTokens: (tokens) => ({ ...tokens, access_token: "unknown-token" }) });
  const opened = openAuth(fake);
  expect(await failureOf(opened)).toContain("still refuses access after 3 authorizations");
  expect(opened.asked.length).toBe(3);
});

test("calls that wait for the same person ask once; one that is given up does not end it for the others", async () => {
  const fake = await fakeAuth({ scopes: { "tools/call:write": ["write"] }, tools: ["write"] });
  let agree = () => {};
  const agreed = new Promise<void>((resolve) => {
    agree = resolve;
  });
  let times = 0;
  const opened = openAuth(fake, {
    async authorize(request) {
      times += 1;
      if (times > 1) await agreed;
      return fake.visit(request.url);
    },
  });
  await opened.connections.ready(never);
  const abort = new AbortController();
  const call = (signal: AbortSignal) =>
    opened.connections.call({
      runId: "run",
      route: { server: "s", tool: "write" },
      arguments: {},
      signal,
      onProgress() {},
    });
  const given = call(abort.signal).catch((thrown: { code?: string }) => thrown.code);
  const waiting = call(never);
  while (times < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 50));
  abort.abort();
  expect(await given).toBe("call_aborted");
  agree();
  expect((await waiting).isError).toBe(false);
  expect(times).toBe(2);
});
