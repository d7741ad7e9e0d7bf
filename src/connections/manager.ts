import { HostError } from "../errors.ts";
import type { Limits, ServerSetting } from "../types/config.ts";
import type { ServerLog, ServerStatus } from "../types/events.ts";
import type { KnownLists } from "../types/known-lists.ts";
import type { Clock, Connections, Secrets } from "../types/ports.ts";
import type { Memo } from "../types/stores.ts";
import type { ServerToolList } from "../types/tool.ts";
import { compareCodeUnits } from "../util/stable-json.ts";
import { callNotSent } from "./call-failure.ts";
import { configHash } from "./config-hash.ts";
import type { AccessSettings } from "./connection.ts";
import { loadSdk } from "./sdk.ts";
import { createServer, type ManagedServer } from "./server.ts";
import { untilAborted } from "./wait.ts";

export interface ConnectionsSettings {
  readonly servers: readonly ServerSetting[];
  readonly limits: Limits;
  readonly clock: Clock;
  readonly memo: Memo;
  /** Default: tools are not remembered. */
  readonly knownLists?: KnownLists;
  readonly secrets: Secrets;
  /** Key of the hashes that stand for values of the environment in a server's identity. */
  readonly hashKey: () => Promise<Uint8Array>;
  /** The host's environment; a server gets the allow-listed part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Default: servers that want an authorization cannot be used. */
  readonly access?: AccessSettings;
  /** Whether there is a person whom servers may ask. Default: false. */
  readonly elicitation?: boolean;
  /** The host's own version, as servers see it. */
  readonly version: string;
}

/** Connects to all servers of a host and keeps them connected. */
export function createConnections(settings: ConnectionsSettings): Connections {
  const listeners = new Set<(status: ServerStatus) => void>();
  const readers = new Set<(log: ServerLog) => void>();
  const servers = settings.servers
    .map((setting) => manage(setting, settings, { tell, log }))
    .sort((a, b) => compareCodeUnits(a.id, b.id));
  const byId = new Map(servers.map((server) => [server.id, server]));
  let last: readonly ServerToolList[] = [];

  function tell(status: ServerStatus): void {
    for (const listener of listeners) listener(status);
  }

  function log(message: ServerLog): void {
    for (const reader of readers) reader(message);
  }

  function current(): readonly ServerToolList[] {
    const lists = servers.map((server) => server.list()).filter((list) => list !== null);
    if (lists.length !== last.length || lists.some((list, index) => list !== last[index])) last = lists;
    return last;
  }

  return {
    start() {
      for (const server of servers) server.start();
      // Read while the processes start; who needs it first reports why it cannot be.
      if (servers.length > 0) loadSdk().catch(() => {});
    },
    ready: (signal) => orAborted(Promise.all(servers.map((server) => server.ready())), signal).then(() => {}),
    async started(signal, only) {
      const wanted = servers.filter(({ id }) => only === undefined || id === only);
      await orAborted(Promise.all(wanted.map((server) => server.started())), signal);
    },
    async lists(signal) {
      for (const server of servers) {
        const blocker = server.blocker();
        if (blocker !== null) throw blocker;
      }
      const readings = servers.map((server) => server.refresh()).filter((reading) => reading !== null);
      if (readings.length > 0) await orAborted(Promise.all(readings), signal);
      return current();
    },
    current,
    refresh(id, signal) {
      const reading = byId.get(id)?.refresh() ?? null;
      return reading === null ? null : orAborted(reading, signal).then(() => {});
    },
    status: () => servers.map((server) => server.status()),
    onStatus(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onLog(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
    instructions: () => servers.map((server) => server.instructions()).filter((one) => one !== null),
    call(call) {
      const server = byId.get(call.route.server);
      return server?.call(call) ?? Promise.reject(callNotSent(call.route.server, "there is no such server."));
    },
    taskEnd(id, taskId, signal) {
      const server = byId.get(id);
      return server?.taskEnd(taskId, signal) ?? Promise.reject(callNotSent(id, "there is no such server."));
    },
    offers: (server) => byId.get(server)?.offers ?? null,
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function manage(
  setting: ServerSetting,
  settings: ConnectionsSettings,
  heard: { readonly tell: (status: ServerStatus) => void; readonly log: (log: ServerLog) => void },
): ManagedServer {
  const { id, config } = setting;
  let hash: Promise<string> | undefined;
  return createServer(setting, {
    identity: { name: "drawbridge", version: settings.version },
    limits: settings.limits,
    clock: settings.clock,
    memo: settings.memo,
    knownLists: settings.knownLists ?? null,
    hashKey: settings.hashKey,
    secrets: settings.secrets,
    environment: settings.environment,
    fetch: settings.fetch ?? globalThis.fetch,
    access: settings.access ?? null,
    configHash: () => {
      hash ??= settings.hashKey().then((key) => configHash(id, config, key));
      return hash;
    },
    onStatus: heard.tell,
    onLog: heard.log,
    elicitation: settings.elicitation ?? false,
  });
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return untilAborted(promise, signal).catch((thrown: unknown) => {
    if (!signal.aborted || thrown !== signal.reason) throw thrown;
    throw new HostError("aborted", "Aborted while waiting for the servers.", { cause: thrown });
  });
}
