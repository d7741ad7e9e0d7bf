import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { FakeAuthServerOptions } from "../../../src/testing/auth-server/options.ts";
import { failureOf, fakeAuth, openAuth } from "./setup.ts";

/** Each with what the person is told; no token may ever be asked for. */
const refused: readonly [string, FakeAuthServerOptions, string][] = [
  [
    "an answer from another issuer",
    { editRedirect: (url) => url.searchParams.set("iss", "https://evil.example") },
    "is not from",
  ],
  [
    "an answer that does not say from whom, although the server always does",
    { editRedirect: (url) => url.searchParams.delete("iss") },
    "is not from",
  ],
  [
    "an answer with a slash more than the issuer has",
    { editRedirect: (url) => url.searchParams.set("iss", `${url.searchParams.get("iss")}/`) },
    "is not from",
  ],
  [
    "an answer with another state",
    { editRedirect: (url) => url.searchParams.set("state", "a".repeat(40)) },
    "belongs to another login",
  ],
  ["an answer without a state", { editRedirect: (url) => url.searchParams.delete("state") }, "another login"],
  ["an answer without a code", { editRedirect: (url) => url.searchParams.delete("code") }, "holds no code"],
  [
    "a server that does not speak of PKCE",
    { editServerMetadata: ({ code_challenge_methods_supported: _, ...rest }) => rest },
    "PKCE with S256",
  ],
  [
    "a server with plain PKCE only",
    { editServerMetadata: (metadata) => ({ ...metadata, code_challenge_methods_supported: ["plain"] }) },
    "PKCE with S256",
  ],
  [
    "metadata of another resource",
    { editResourceMetadata: (metadata) => ({ ...metadata, resource: "https://bank.example/mcp" }) },
    "is that of another resource, https://bank.example/mcp",
  ],
  [
    "metadata of a neighbour at the same origin",
    { editResourceMetadata: (metadata) => ({ ...metadata, resource: `${metadata.resource}-other` }) },
    "is that of another resource",
  ],
  [
    "metadata of another issuer",
    { editServerMetadata: (metadata) => ({ ...metadata, issuer: "https://evil.example" }) },
    "is that of another issuer",
  ],
  [
    "a token endpoint without encryption",
    { editServerMetadata: (metadata) => ({ ...metadata, token_endpoint: "http://evil.example/token" }) },
    "is not https",
  ],
  [
    "a page to visit without encryption",
    { editServerMetadata: (metadata) => ({ ...metadata, authorization_endpoint: "http://evil.example/" }) },
    "is not https",
  ],
  [
    "a page to visit that is a script",
    { editServerMetadata: (metadata) => ({ ...metadata, authorization_endpoint: "javascript:alert(1)" }) },
    "is not https",
  ],
  [
    "an authorization server at a machine's own secrets",
    {
      editResourceMetadata: (metadata) => ({
        ...metadata,
        authorization_servers: ["https://169.254.169.254"],
      }),
    },
    "inside a private network",
  ],
  [
    "tokens of another type",
    { editTokens: (tokens) => ({ ...tokens, token_type: "DPoP" }) },
    "of a type that is not known here",
  ],
];

test.each(refused)("%s is refused", async (_, options, words) => {
  const fake = await fakeAuth(options);
  const opened = openAuth(fake);
  expect(await failureOf(opened)).toContain(words);
  expect(await opened.store.list()).toEqual([]);
  if (options.editTokens === undefined) expect(fake.tokenRequests).toEqual([]);
});

test("what another issuer says in its error is not shown", async () => {
  const fake = await fakeAuth({
    editRedirect(url) {
      url.searchParams.set("iss", "https://evil.example");
      url.searchParams.set("error", "call_this_number");
    },
  });
  expect(await failureOf(openAuth(fake))).not.toContain("call_this_number");
});

test("a refusal of the right issuer is told by its code, on one line", async () => {
  const fake = await fakeAuth({
    editRedirect(url) {
      url.searchParams.delete("code");
      url.searchParams.set("error", "access_denied\u001b[2J");
    },
  });
  expect(await failureOf(openAuth(fake))).toContain(
    `${fake.issuer} gave no access: access_denied\\u001b[2J.`,
  );
});

test("a client that was registered before is kept from every issuer but its own", async () => {
  const clients = [{ id: "mine", secret: "its-own-secret" }];
  const fake = await fakeAuth({ clients });
  const client = { clientId: "mine", clientSecret: "its-own-secret" };
  const opened = openAuth(fake, { auth: { ...client, issuer: "https://right.example" } });
  expect(await failureOf(opened)).toContain("its client is for https://right.example");
  expect(fake.tokenRequests).toEqual([]);
  // Without one in the config it is the issuer that got it first.
  const first = openAuth(fake, { auth: client });
  await first.connections.ready(new AbortController().signal);
  const other = await fakeAuth({ clients });
  const [[key, login] = []] = await first.store.list();
  if (key === undefined || login === undefined) throw new Error("There is no login.");
  await first.store.write(key, { ...login, issuer: other.issuer, tokens: null });
  const again = openAuth(fake, { auth: client, store: first.store });
  expect(await failureOf(again)).toContain(`its client is for ${other.issuer}`);
});

test("a redirect of what a public server's metadata leads to is followed into no private network", async () => {
  const asked: string[] = [];
  const inside = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  });
  await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void inside.close());
  const { port } = inside.address() as AddressInfo;
  const { createGuardedFetch } = await import("../../../src/connections/auth/guarded-fetch.ts");
  const { systemClock } = await import("../../../src/util/clock.ts");
  const redirecting = (async () =>
    new Response(null, {
      status: 302,
      headers: { location: `http://127.0.0.1:${port}/secret` },
    })) as typeof fetch;
  const guarded = createGuardedFetch({
    fetch: redirecting,
    clock: systemClock,
    server: new URL("https://public.example/mcp"),
    allowPrivateNetwork: false,
  });
  await expect(guarded("https://public.example/.well-known/x")).rejects.toMatchObject({
    code: "server_unauthorized",
    message: expect.stringContaining(`127.0.0.1:${port}, an address inside a private network`),
  });
  expect(asked).toEqual([]);
});

test("no token, code, verifier or secret is in an error or in what is asked, whatever the server says", async () => {
  const fake = await fakeAuth({
    authMethods: ["client_secret_post"],
    scopes: { "tools/call:echo": ["never"] },
    editTokens: (tokens) => ({ ...tokens, scope: "read" }),
  });
  const opened = openAuth(fake);
  await opened.connections.ready(new AbortController().signal);
  const failure = await opened.call("echo").catch((thrown: Error) => thrown);
  expect(fake.secrets.length).toBeGreaterThan(4);
  const said = opened.secrets.redact(fake.secrets.join(" "));
  for (const secret of fake.secrets) {
    expect(said).not.toContain(secret);
    expect(String((failure as Error).message)).not.toContain(secret);
    expect(JSON.stringify(opened.asked)).not.toContain(secret);
  }
});
