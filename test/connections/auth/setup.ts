import { onTestFinished } from "vitest";
import { createSecrets } from "../../../src/audit/secrets.ts";
import { defaultLimits } from "../../../src/config/limits.ts";
import { createKeepAliveFetch } from "../../../src/connections/keep-alive-fetch.ts";
import { createConnections } from "../../../src/connections/manager.ts";
import { createTokenMemory } from "../../../src/stores/token-memory.ts";
import type { FakeAuthServer, FakeAuthServerOptions } from "../../../src/testing/auth-server/options.ts";
import { startFakeAuthServer } from "../../../src/testing/auth-server/server.ts";
import type { AuthorizationRequest, Authorize, ServerAuth, TokenStore } from "../../../src/types/auth.ts";
import type { HttpServerConfig } from "../../../src/types/config.ts";
import type { JsonObject } from "../../../src/types/json.ts";
import type { CallReply } from "../../../src/types/outcome.ts";
import type { Clock, Connections, Secrets } from "../../../src/types/ports.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { memoryMemo, never } from "../../fixtures/connections/connect.ts";

export async function fakeAuth(options: FakeAuthServerOptions = {}): Promise<FakeAuthServer> {
  const fake = await startFakeAuthServer(options);
  onTestFinished(() => fake.close());
  return fake;
}

export interface Opened {
  readonly connections: Connections;
  readonly store: TokenStore;
  readonly secrets: Secrets;
  /** What the person was asked, in order. */
  readonly asked: AuthorizationRequest[];
  call(tool: string, args?: JsonObject): Promise<CallReply>;
}

interface Settings {
  readonly auth?: ServerAuth;
  /** `agree`: the person visits the URL and agrees. Null: there is nobody. */
  readonly authorize?: Authorize | "agree" | null;
  readonly store?: TokenStore;
  readonly clock?: Clock;
  readonly config?: Partial<HttpServerConfig>;
  readonly serverStartMs?: number;
}

/** Connects to the protected server of a fake, or to another URL. */
export function openAuth(fake: FakeAuthServer | string, settings: Settings = {}): Opened {
  const { store = createTokenMemory(), authorize = "agree", clock = systemClock, auth } = settings;
  const asked: AuthorizationRequest[] = [];
  const agree: Authorize = (request) => (typeof fake === "string" ? undefined : fake.visit(request.url));
  const hook = authorize === "agree" ? agree : authorize;
  const secrets = createSecrets();
  const url = typeof fake === "string" ? fake : fake.url;
  const fetch = createKeepAliveFetch();
  const connections = createConnections({
    servers: [
      {
        id: "s",
        trusted: false,
        config: { url, ...(auth === undefined ? {} : { auth }), ...settings.config },
      },
    ],
    limits: { ...defaultLimits, serverStartMs: settings.serverStartMs ?? 20_000 },
    clock,
    memo: memoryMemo(),
    secrets,
    hashKey: async () => new Uint8Array(32),
    environment: {},
    version: "0.0.0",
    fetch,
    access: {
      principal: "ann",
      store,
      authorize:
        hook === null
          ? null
          : (request): ReturnType<Authorize> => {
              asked.push(request);
              return hook(request);
            },
    },
  });
  onTestFinished(async () => {
    await connections.close();
    fetch.close?.();
  });
  connections.start();
  return {
    connections,
    store,
    secrets,
    asked,
    call: (tool, args = {}) =>
      connections.call({
        runId: "run",
        route: { server: "s", tool },
        arguments: args,
        signal: never,
        onProgress() {},
      }),
  };
}

/** The sentence with which the server failed. */
export async function failureOf({ connections }: Opened): Promise<string> {
  const failure = await connections.ready(never).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(failure instanceof Error)) throw new Error("The server did not fail.");
  return `${(failure as Error & { code?: string }).code}: ${failure.message}`;
}
