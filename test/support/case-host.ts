import { createHost } from "../../src/index.ts";
import { createAnthropicModel } from "../../src/models/anthropic/model.ts";
import { createMemoryStores } from "../../src/stores/memory-stores.ts";
import {
  type AnthropicSimulator,
  type AnthropicSimulatorOptions,
  startAnthropicSimulator,
} from "../../src/testing/anthropic/simulator.ts";
import type { SimulatedTurn } from "../../src/testing/anthropic/turns.ts";
import { startFakeAuthServer } from "../../src/testing/auth-server/server.ts";
import { type HostileServerCommand, hostileServerCommand } from "../../src/testing/hostile/command.ts";
import { type HostileHttpServer, startHostileHttpServer } from "../../src/testing/hostile/http-server.ts";
import type { Seen } from "../../src/testing/hostile/script.ts";
import type { HostOptions, ServerConfig } from "../../src/types/config.ts";
import type { Host } from "../../src/types/host.ts";
import type { Model } from "../../src/types/model.ts";
import { systemClock } from "../../src/util/clock.ts";

/** A server of a case: what it plays, and how it is configured. */
export interface CaseServer {
  readonly plays: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
}

/** A host between hostile servers and a strict simulator of the model's API. */
export interface CaseHost extends AsyncDisposable {
  readonly host: Host;
  /** Texts that were kept aside. */
  readonly kept: readonly string[];
  /** What one server saw so far. */
  seen(server: string): readonly Seen[];
}

interface Started {
  /** The person of the case, where one has to log in. */
  readonly authorize?: HostOptions["authorize"];
  readonly config: ServerConfig;
  readonly seen: () => readonly Seen[];
  readonly stop: () => Promise<void> | void;
}

async function startServer({ plays, config = {}, args = [] }: CaseServer): Promise<Started> {
  if (plays.transport === "http-oauth") return startProtected(plays);
  if (plays.transport === "http") {
    const server: HostileHttpServer = await startHostileHttpServer(plays);
    return { config: { url: server.url, ...config }, seen: () => server.seen, stop: server.close };
  }
  const server: HostileServerCommand = hostileServerCommand(plays, { args });
  const { command, env } = server;
  return { config: { command, args: server.args, env, ...config }, seen: server.seen, stop: server.remove };
}

/** A server behind an authorization server: what it saw are the scopes that were asked for. */
async function startProtected(plays: CaseServer["plays"]): Promise<Started> {
  const scopes = plays.perOperationScopes as Record<string, string[]>;
  const tools = Object.keys(scopes).flatMap((name) => /^tools\/call:(.+)$/.exec(name)?.[1] ?? []);
  const fake = await startFakeAuthServer({ scopes, tools });
  const authorizations = () =>
    fake.authorizations.map(({ scope }) => ({
      kind: "request" as const,
      method: "authorize",
      params: { scope },
    }));
  return {
    config: { url: fake.url },
    seen: authorizations,
    stop: fake.close,
    authorize: ({ url }) => fake.visit(url),
  };
}

/** Starts the servers of a case and a host with them. Everything is allowed unless the options say otherwise. */
export async function startCase(
  servers: Readonly<Record<string, CaseServer>>,
  model: Model | string,
  options: Partial<HostOptions> = {},
): Promise<CaseHost> {
  const started: Record<string, Started> = {};
  for (const [id, server] of Object.entries(servers)) started[id] = await startServer(server);
  const configs = Object.fromEntries(Object.entries(started).map(([id, { config }]) => [id, config]));
  const kept: string[] = [];
  const stores = createMemoryStores();
  const spill = {
    ...stores.spill,
    put(runId: string, text: string) {
      kept.push(text);
      return stores.spill.put(runId, text);
    },
  };
  const host = createHost({
    model,
    policy: { rules: ["allow */*"] },
    state: { ...stores, spill },
    ...authorizeOf(Object.values(started)),
    ...options,
    servers: { ...configs, ...options.servers },
  });
  return {
    host,
    kept,
    seen: (server) => started[server]?.seen() ?? [],
    async [Symbol.asyncDispose]() {
      await host.close();
      for (const server of Object.values(started)) await server.stop();
    },
  };
}

function authorizeOf(servers: readonly Started[]): Pick<HostOptions, "authorize"> {
  const authorize = servers.find((server) => server.authorize !== undefined)?.authorize;
  return authorize === undefined ? {} : { authorize };
}

/** A model of the Messages API whose answers are the steps, and the simulator behind it that refuses what the API refuses. */
export interface CaseModel extends AsyncDisposable {
  readonly model: Model;
  readonly simulator: AnthropicSimulator;
}

export async function startModel(turns: AnthropicSimulatorOptions["turns"]): Promise<CaseModel> {
  const simulator = await startAnthropicSimulator(turns === undefined ? {} : { turns });
  const model = createAnthropicModel({
    name: "claude-opus-5",
    apiKey: "key-of-the-simulator",
    baseUrl: simulator.url,
    fetch: globalThis.fetch,
    maxRetries: 0,
    retryDeadlineMs: 10_000,
    clock: systemClock,
  });
  return { model, simulator, [Symbol.asyncDispose]: () => simulator.close() };
}

/** The end of every script: the model is content. */
export const lastTurn: SimulatedTurn = { content: [{ type: "text", text: "done" }] };
