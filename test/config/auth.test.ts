import { expect, test } from "vitest";
import { configHash } from "../../src/connections/config-hash.ts";
import { createHost } from "../../src/index.ts";
import { testProject } from "./project.ts";

const url = "https://mcp.example/mcp";

test("auth of a server is read, its variables are replaced, and its secrets are known as such", async () => {
  process.env.CLIENT_SECRET_OF_TEST = "the-secret-itself";
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
  delete process.env.CLIENT_SECRET_OF_TEST;
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
  [{ url, auth: { grant: "implicit" } }, 'must be "authorization_code" or "client_credentials".'],
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
  [{ auth: { scopes: [1] } }, "auth.scopes is not a list of strings"],
])("a program's %j is refused", (settings, words) => {
  expect(() => createHost({ servers: { s: { url, ...(settings as object) } }, state: false })).toThrow(words);
});
