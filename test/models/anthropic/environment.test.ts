import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createAnthropicModel } from "../../../src/models/anthropic/model.ts";
import { startAnthropicSimulator } from "../../../src/testing/anthropic/simulator.ts";
import type { HostFetch } from "../../../src/types/fetch.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { requestOf, responseOf, userText } from "./requests.ts";

/** Every variable that the SDK reads when it makes a client or sends a request (`readEnv` in the package). */
const variables: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: "sk-env-9999999999",
  ANTHROPIC_AUTH_TOKEN: "env-token-9999",
  ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
  ANTHROPIC_CONFIG_DIR: "/nowhere",
  ANTHROPIC_CUSTOM_HEADERS:
    "x-evil: 1\nauthorization: Bearer evil\nanthropic-version: 1999-01-01\nx-api-key: evil",
  ANTHROPIC_ENVIRONMENT_ID: "environment",
  ANTHROPIC_ENVIRONMENT_KEY: "environment-key",
  ANTHROPIC_FEDERATION_RULE_ID: "rule",
  ANTHROPIC_IDENTITY_TOKEN: "identity",
  ANTHROPIC_IDENTITY_TOKEN_FILE: "/nowhere/token",
  ANTHROPIC_LOG: "debug",
  ANTHROPIC_OPEN_TELEMETRY: "true",
  ANTHROPIC_OPEN_TELEMETRY_PROPAGATION: "true",
  ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE: "content",
  ANTHROPIC_OPEN_TELEMETRY_TRACES_MAX_CONTENT_BYTES: "1",
  ANTHROPIC_ORGANIZATION_ID: "org",
  ANTHROPIC_PROFILE: "other",
  ANTHROPIC_SCOPE: "scope",
  ANTHROPIC_SERVICE_ACCOUNT_ID: "account",
  ANTHROPIC_SESSION_ID: "session",
  ANTHROPIC_WEBHOOK_SIGNING_KEY: "whsec",
  ANTHROPIC_WORKSPACE_ID: "workspace",
  ANTHROPIC_WORK_ID: "work",
  ANTHROPIC_WORK_SECRET: "work-secret",
  APPDATA: "/nowhere",
  HOME: "/nowhere",
  PATH: "/nowhere",
  USERPROFILE: "/nowhere",
  XDG_CONFIG_HOME: "/nowhere",
};

const before = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(variables)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

/** Names of variables in the code of a package, wherever it reads the environment. */
function namesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : namesIn(path);
    if (!entry.name.endsWith(".mjs")) return [];
    const reads = /(?:readEnv\(|process\.env\??\.?\[?)['"]?(\w+)['"]?/g;
    return [...readFileSync(path, "utf8").matchAll(reads)].map(([, name = ""]) => name);
  });
}

test("the variables are all that the installed SDK reads", () => {
  const read = namesIn(join(import.meta.dirname, "../../../node_modules/@anthropic-ai/sdk"));
  const upperCase = new Set(read.filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)));
  expect([...upperCase].filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
  expect(upperCase.size).toBeGreaterThan(20);
});

/** The request as it arrives, without the port. */
async function wire(request: HostFetch): Promise<{ headers: object; text: string; authorization: unknown }> {
  const simulator = await startAnthropicSimulator({ turns: [{ content: [{ type: "text", text: "ok" }] }] });
  let authorization: unknown;
  const spy: typeof fetch = (input, init) => {
    authorization = new Headers(init?.headers).get("authorization");
    return request(input, init);
  };
  const { post } = request;
  const spiedPost: HostFetch["post"] = (url, settings) => {
    authorization = settings.headers.authorization;
    return (post as NonNullable<typeof post>)(url, settings);
  };
  try {
    const model = createAnthropicModel({
      name: "claude-opus-5",
      apiKey: "sk-test-0123456789",
      baseUrl: simulator.url,
      fetch: Object.assign(spy, post === undefined ? {} : { post: spiedPost }),
      maxRetries: 0,
      retryDeadlineMs: 1000,
      clock: systemClock,
    });
    await responseOf(model, requestOf([userText("go")]));
    const { headers, text } = simulator.requests[0] ?? { headers: {}, text: "" };
    return { headers: { ...headers, host: "" }, text, authorization };
  } finally {
    await simulator.close();
  }
}

test("no environment variable that the SDK reads changes a request", async () => {
  const request = createKeepAliveFetch();
  const plain = await wire(request);
  Object.assign(process.env, variables);
  expect(await wire(request)).toEqual(plain);
  expect(plain.authorization).toBe("Bearer sk-test-0123456789");
  expect(Object.keys(plain.headers).sort()).toEqual(
    "accept anthropic-version authorization connection content-length content-type host user-agent".split(
      " ",
    ),
  );
});

test("the same body is sent through the platform's fetch, which takes one array only", async () => {
  expect((await wire(fetch)).text).toBe((await wire(createKeepAliveFetch())).text);
});

test("the version of the API is the one that the installed SDK itself sends", async () => {
  const { Anthropic } = await import("@anthropic-ai/sdk");
  const simulator = await startAnthropicSimulator();
  const client = new Anthropic({ apiKey: "sk-test-0123456789", baseURL: simulator.url });
  await client.messages.create({ model: "m", max_tokens: 1, messages: [{ role: "user", content: "x" }] });
  const version = simulator.requests[0]?.headers["anthropic-version"];
  await simulator.close();
  expect((await wire(createKeepAliveFetch())).headers).toMatchObject({ "anthropic-version": version });
});
