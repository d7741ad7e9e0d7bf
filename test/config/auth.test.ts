import { afterEach, expect, test, vi } from "vitest";
import { configHash } from "../../src/connections/config-hash.ts";
import { createHost } from "../../src/index.ts";
import { testProject } from "./project.ts";

afterEach(() => void vi.unstubAllEnvs());

const url = "https://mcp.example/mcp";

test("auth of a server is read, its variables are replaced, and its secrets are known as such", async () => {
  vi.stubEnv("CLIENT_SECRET_OF_TEST", "the-secret-itself");
  const project = testProject();
  const auth = {
    clientId: "mine",
    clientSecret: "${CLIENT_SECRET_OF_TEST}",
    scopes: ["read"],
    issuer: "https://as.example",
    allowPrivateNetwork: true,
  };
  project.writeUser({ mcpServers: { s: { url, auth } } });
  const [server] = (await project.load()).servers;
  expect(server?.config).toMatchObject({ url, auth: { ...auth, clientSecret: "the-secret-itself" } });
  expect(server?.written).toMatchObject({ auth });
  expect(server?.variables).toEqual([
    { name: "CLIENT_SECRET_OF_TEST", place: "auth.clientSecret", from: "environment" },
  ]);
  expect(server?.config.secrets).toContainEqual({
    name: "CLIENT_SECRET_OF_TEST",
    value: "the-secret-itself",
  });
});

test.each([
  [
    { url, auth: { clientId: "mine", clientSecret: "written-out" } },
    'mcpServers.s.auth.clientSecret must be "${VAR}": a secret belongs into the environment, not into a file.',
  ],
  [
    { url, auth: { clientId: "mine", privateKey: "${KEY:-written-out}" } },
    'mcpServers.s.auth.privateKey must be "${VAR}": a secret belongs into the environment, not into a file.',
  ],
  [{ url, auth: { grant: "client_credentials" } }, 'mcpServers.s.auth.grant needs "clientId" beside it.'],
  [
    { url, auth: { grant: "implicit" } },
    'must be "authorization_code", "client_credentials" or "jwt_bearer".',
  ],
  [
    { url, auth: { grant: "jwt_bearer", clientId: "mine" } },
    'mcpServers.s.auth.grant needs exactly one of "assertion", "assertionFile" and "identityProvider" beside it.',
  ],
  [
    {
      url,
      auth: { identityProvider: { issuer: "https://idp.example", clientId: "x", idToken: "written-out" } },
    },
    'mcpServers.s.auth.identityProvider.idToken must be "${VAR}"',
  ],
  [
    { url, auth: { identityProvider: { issuer: "https://idp.example" } } },
    "mcpServers.s.auth.identityProvider",
  ],
  [{ url, auth: { clientid: "x" } }, 'unknown key mcpServers.s.auth.clientid. Did you mean "clientId"?'],
  [{ url, auth: { scopes: "read" } }, "mcpServers.s.auth.scopes must be a list of strings"],
])("%j is no auth of a server", async (entry, words) => {
  const project = testProject();
  project.writeUser({ mcpServers: { s: entry } });
  expect((await project.problems()).join("\n")).toContain(words);
});

test("a project's file may name a client, and may not lead into a private network", async () => {
  const project = testProject();
  project.write("drawbridge.json", { mcpServers: { s: { url, auth: { clientId: "mine" } } } });
  const [before] = (await project.load()).servers;
  expect(before?.pending).toBe(true);
  // Another client is another server to agree to.
  project.write("drawbridge.json", { mcpServers: { s: { url, auth: { clientId: "other" } } } });
  const [after] = (await project.load()).servers;
  expect(after?.configHash).not.toBe(before?.configHash);
  project.write("drawbridge.json", { mcpServers: { s: { url, auth: { allowPrivateNetwork: true } } } });
  expect(await project.problems()).toEqual([
    expect.stringContaining("mcpServers.s.auth.allowPrivateNetwork cannot be set by a project's file"),
  ]);
  // It could have any file of this computer sent to whom it likes.
  project.write("drawbridge.json", {
    mcpServers: {
      s: { url, auth: { grant: "jwt_bearer", clientId: "mine", assertionFile: "/home/ann/secret" } },
    },
  });
  expect(await project.problems()).toEqual([
    expect.stringContaining("mcpServers.s.auth.assertionFile cannot be set by a project's file"),
  ]);
});

test("an identity provider is read with its variables replaced, and its secrets are in no identity", async () => {
  vi.stubEnv("ID_TOKEN_OF_TEST", "head.claims.signature");
  const project = testProject();
  const identityProvider = {
    issuer: "https://idp.example",
    clientId: "host-there",
    idToken: "${ID_TOKEN_OF_TEST}",
  };
  const auth = { grant: "jwt_bearer", clientId: "mine", dpop: true, identityProvider };
  project.writeUser({ mcpServers: { s: { url, auth } } });
  const [server] = (await project.load()).servers;
  expect(server?.config).toMatchObject({
    auth: { ...auth, identityProvider: { ...identityProvider, idToken: "head.claims.signature" } },
  });
  expect(server?.config.secrets).toContainEqual({ name: "ID_TOKEN_OF_TEST", value: "head.claims.signature" });
  const hash = (provider: object) =>
    configHash(
      "s",
      { url, auth: { identityProvider: { ...identityProvider, ...provider } } },
      new Uint8Array(32),
    );
  expect(hash({ idToken: "a.b.c" })).toBe(hash({ idToken: "d.e.f" }));
  expect(hash({ issuer: "https://other.example" })).not.toBe(hash({}));
});

test("the identity of a server holds its client and no secret of it", () => {
  const hash = (auth: object) => configHash("s", { url, auth }, new Uint8Array(32));
  expect(hash({ clientId: "a", clientSecret: "x" })).toBe(hash({ clientId: "a", clientSecret: "y" }));
  expect(hash({ clientId: "a" })).not.toBe(hash({ clientId: "b" }));
});

test.each([
  [{ auth: 1 }, "auth is not an object"],
  [{ auth: { clientId: 1 } }, "auth.clientId is not a text"],
  [{ auth: { clientMetadataUrl: "http://host.example/x" } }, "is not an https URL with a path"],
  [{ auth: { clientMetadataUrl: "https://host.example" } }, "is not an https URL with a path"],
  [{ auth: { grant: "client_credentials" } }, "there is no auth.clientId"],
  [{ auth: { grant: "jwt_bearer", clientId: "a" } }, "exactly one of assertion, assertionFile and"],
  [{ auth: { assertionFile: "relative" } }, "auth.assertionFile is not an absolute path"],
  [{ auth: { dpop: "yes" } }, "auth.dpop is neither true nor false"],
  [{ auth: { identityProvider: { issuer: "x", clientId: "y" } } }, "identityProvider.issuer is not a URL"],
  [
    { auth: { identityProvider: { issuer: "https://idp.example", clientId: "y" } } },
    "exactly one of idToken and idTokenFile",
  ],
  [{ auth: { scopes: [1] } }, "auth.scopes is not a list of strings"],
])("a program's %j is refused", (settings, words) => {
  expect(() => createHost({ servers: { s: { url, ...(settings as object) } }, state: false })).toThrow(words);
});
