import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { findServers } from "../../src/host/import-servers.ts";
import type { FoundServers } from "../../src/types/found-servers.ts";
import { foundInFixtures } from "./fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function find(environment: Readonly<Record<string, string>> = {}): Promise<FoundServers> {
  return findServers({ home: folder, cwd: join(folder, "project"), environment, platform: "linux" });
}

function putCursor(server: unknown): void {
  put(".cursor/mcp.json", JSON.stringify({ mcpServers: { server } }));
}

const marked = fc.string({ minLength: 1, maxLength: 30 }).map((text) => `s3cr3t${text}t3rc3s`);
const names = [
  "GITHUB_TOKEN",
  "api-key",
  "DB_PASSWORD",
  "x-auth",
  "SMTP_PASS",
  "GITLAB_PAT",
  "SLACK_WEBHOOK_URL",
];

/** The result must not hold any piece of the secret, in whatever form JSON gives it. */
function expectNone(found: FoundServers): void {
  expect(JSON.stringify(found)).not.toMatch(/s3cr3t|t3rc3s/);
}

test("no secret of the fixtures is in what was found", async () => {
  expect(JSON.stringify(await foundInFixtures())).not.toContain("SECRET-");
});

test("whatever stands in a variable or header whose name speaks of a secret is not copied", async () => {
  await fc.assert(
    fc.asyncProperty(marked, fc.constantFrom(...names), async (secret, name) => {
      putCursor({ command: "x", env: { [name]: secret } });
      expectNone(await find());
      putCursor({ url: "https://example.com/mcp", headers: { [name]: secret, Cookie: `a=${secret}` } });
      expectNone(await find());
    }),
    { numRuns: 60 },
  );
});

test("whatever follows a flag, an assignment or a header's name in an argument is not copied", async () => {
  await fc.assert(
    fc.asyncProperty(marked, fc.constantFrom("api-key", "token", "db-password"), async (secret, name) => {
      putCursor({
        command: "x",
        args: [
          `--${name}=${secret}`,
          `--${name}`,
          secret,
          `--env=${name}=${secret}`,
          `X-${name}: Bearer ${secret}`,
        ],
      });
      expectNone(await find());
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["JSON in an argument", { command: "x", args: ["--config", '{"apiKey": "s3cr3t \\" t3rc3s"}'] }],
  ["JSON that was quoted twice", { command: "x", args: ['"{\\"token\\":\\"s3cr3t\\"}"'] }],
  ["JSON in a variable", { command: "x", env: { MCP_HEADERS: '{"Authorization": "Bearer s3cr3t"}' } }],
  ["a shell's assignment", { command: "sh", args: ["-c", "export TOKEN='s3cr3t x' PASSWORD=t3rc3s; npx x"] }],
  ["a connection string", { command: "x", env: { DB: "postgres://ada:s3cr3t@db/notes" } }],
  ["a token before a URL's host", { command: "uvx", args: ["git+https://s3cr3t@git.example.com/a/b"] }],
  ["a connection string of pairs", { command: "x", args: ["Server=db;Password=s3cr3t&t3rc3s;User=ada"] }],
  ["a header in a variable", { command: "x", env: { HEADERS: "X-Api-Key: s3cr3t" } }],
  ["a list of tokens", { command: "x", env: { AUTH_TOKENS: "s3cr3t,other" } }],
  ["a password that looks like a path", { command: "x", env: { DB_PASSWORD: "/s3cr3t.pw" } }],
  ["a chain of assignments", { command: "x", args: ["run a=b=c=d=e=f=token=s3cr3t"] }],
  ["a later pair of a query", { url: "https://example.com/mcp?m=a=b&a=1&b=2&c=3&d=4&e=5&token=s3cr3t" }],
  ["a query", { url: "https://example.com/mcp?token=s3cr3t&x=1" }],
  ["a query in an argument", { command: "mcp-remote", args: ["https://example.com/mcp?x=1&apiKey=s3cr3t"] }],
  ["a long random part of a path", { url: "https://example.com/s/s3cr3tA8f2K9d1L4m7N0p3q5/mcp" }],
  [
    "a well-known shape without a name",
    { command: "x", args: [["sk", "ant", "s3cr3t0123456789abcdef"].join("-")] },
  ],
  ["a default of a variable", { command: "x", env: { TOKEN: "${OTHER:-s3cr3t}" } }],
  ["a variable beside it", { command: "x", env: { TOKEN: "s3cr3t${env:OTHER}" } }],
  [
    "a private key",
    { command: "x", env: { PEM: "-----BEGIN PRIVATE KEY-----\ns3cr3t\n-----END PRIVATE KEY-----" } },
  ],
])("a secret in %s is not copied, and a note says where it is", async (_, server) => {
  putCursor(server);
  const found = await find();
  expectNone(found);
  expect(found.servers[0]?.notes.join(" ")).toContain(join(folder, ".cursor/mcp.json"));
});

test.each([
  ["a switch", { USE_AUTH: "true" }],
  ["a number of tokens", { MAX_TOKENS: "4000" }],
  ["an address", { AUTH_URL: "https://auth.example.com/login" }],
  ["a file", { GOOGLE_APPLICATION_CREDENTIALS: "/home/ada/keys/account.json" }],
  ["a setting", { LOG_LEVEL: "debug", MODEL: "claude-sonnet-4-5-20250929" }],
])("%s is no secret and is copied", async (_, env) => {
  putCursor({ command: "x", env });
  expect((await find()).servers[0]).toMatchObject({ config: { env }, notes: [] });
});

test("variables alone are no secrets: they are copied as variables, never with their values", async () => {
  const environment = { GITHUB_TOKEN: "s3cr3t-one", HOME: "/s3cr3t-home" };
  putCursor({
    command: "${userHome}/bin/x",
    args: ["--token=${env:GITHUB_TOKEN}", "--header", "Authorization: Bearer ${env:GITHUB_TOKEN}"],
    env: { TOKEN: "${env:GITHUB_TOKEN}" },
  });
  const found = await find(environment);
  expectNone(found);
  expect(found.servers[0]).toMatchObject({
    config: {
      command: "${userHome}/bin/x",
      args: ["--token=${GITHUB_TOKEN}", "--header", "Authorization: Bearer ${GITHUB_TOKEN}"],
      env: { TOKEN: "${GITHUB_TOKEN}" },
    },
    notes: [],
  });
});

test("two servers with different values under one name get two variables; the same value is one", async () => {
  const entry = (key: string) => ({ command: "x", env: { API_KEY: key } });
  put(
    ".cursor/mcp.json",
    JSON.stringify({ mcpServers: { a: entry("one"), b: entry("two"), c: entry("one") } }),
  );
  const { servers } = await find();
  expect(servers.map(({ config }) => config?.env?.API_KEY)).toEqual([
    "${API_KEY}",
    "${B_API_KEY}",
    "${API_KEY}",
  ]);
});

test("the note says when the variable is set already, and whether to this value", async () => {
  putCursor({ command: "x", env: { API_KEY: "one" } });
  const noteWith = async (value: string) => (await find({ API_KEY: value })).servers[0]?.notes[0];
  expect(await noteWith("one")).toContain("which is set in your environment already");
  expect(await noteWith("other")).toContain("where it now has another value");
});
