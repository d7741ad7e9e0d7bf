import { expect, test } from "vitest";
import { never } from "../../fixtures/connections/connect.ts";
import { failureOf, fakeAuth, openAuth } from "./setup.ts";

test("a code that is not taken is asked for again: with the reason, the same client and the same port", async () => {
  const fake = await fakeAuth({ refuseCodes: 1 });
  const opened = openAuth(fake);
  await opened.connections.ready(never);
  expect(opened.asked.map(({ problem }) => problem)).toEqual([
    undefined,
    "the authorization server refused: invalid_grant (the code is not this client's)",
  ]);
  expect(new Set(opened.asked.map(({ redirectUri }) => redirectUri)).size).toBe(1);
  expect(fake.registrations).toEqual(["client-1"]);
  const states = opened.asked.map(({ url }) => new URL(url).searchParams.get("state"));
  expect(new Set(states).size).toBe(2);
});

test("after three codes in all it is over, and the reason is told", async () => {
  const fake = await fakeAuth({ refuseCodes: 9 });
  const opened = openAuth(fake);
  expect(await failureOf(opened)).toContain("refused: invalid_grant (the code is not this client's)");
  expect(opened.asked.length).toBe(3);
  expect(fake.registrations).toEqual(["client-1"]);
  expect(await opened.store.list()).toEqual([]);
});

test("a refusal that would come again is not asked for again", async () => {
  const fake = await fakeAuth({ editTokens: () => ({ error: "invalid_scope" }) });
  const opened = openAuth(fake);
  expect(await failureOf(opened)).toContain("refused: invalid_scope");
  expect(opened.asked.length).toBe(1);
  const clients = [{ id: "mine", secret: "its-own-secret" }];
  const strict = await fakeAuth({ clients });
  const wrong = openAuth(strict, { auth: { clientId: "mine", clientSecret: "another-secret" } });
  expect(await failureOf(wrong)).toContain("refused: invalid_client");
  expect(wrong.asked.length).toBe(1);
});

test.each([
  [
    "says nothing of PKCE",
    ({ code_challenge_methods_supported: _, ...rest }: Record<string, unknown>) => rest,
  ],
  ["has no page to visit", ({ authorization_endpoint: _, ...rest }: Record<string, unknown>) => rest],
])("at a server that %s no client is registered", async (_, editServerMetadata) => {
  const fake = await fakeAuth({ editServerMetadata });
  const opened = openAuth(fake);
  expect(await failureOf(opened)).toContain("server_unauthorized");
  expect([fake.registrations, opened.asked]).toEqual([[], []]);
});
