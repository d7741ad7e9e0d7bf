import { basename, resolve } from "node:path";
import type { StdioServerConfig } from "../types/config.ts";
import type { Connection, OpenContext } from "./connection.ts";
import { createEraMemo, type EraMemo } from "./era-memo.ts";
import type { ProcessFacts } from "./failure.ts";
import { handOver } from "./handover.ts";
import { type Negotiated, negotiate } from "./negotiate.ts";
import { probeLimitMs } from "./probe-limit.ts";
import type { Era } from "./protocol.ts";
import { loadSdk } from "./sdk.ts";
import { createStdioTransport, type StdioTransport } from "./stdio/transport.ts";
import { untilAborted } from "./wait.ts";

/** A child process that has been spawned, or could not be. */
export interface SpawnedServer {
  readonly transport: StdioTransport;
  readonly started: Promise<void>;
}

/** Spawns before it returns: processes start while the host still loads. */
export function spawnStdio(
  config: StdioServerConfig,
  context: Pick<OpenContext, "environment" | "limits" | "secrets">,
): SpawnedServer {
  const { command, args = [], env = {}, cwd, stderr } = config;
  const transport = createStdioTransport(
    { command, args, env, ...(cwd === undefined ? {} : { cwd }) },
    {
      environment: context.environment,
      messageBytes: context.limits.messageBytes,
      stderrTailBytes: context.limits.stderrTailBytes,
      ...(stderr === undefined ? {} : { stderrFile: resolve(stderr) }),
      redact: (text) => context.secrets.redact(text),
    },
  );
  const started = transport.start();
  started.catch(() => {});
  return { transport, started };
}

/** Programs that fetch a server before they run it, and are silent meanwhile. */
const launchers = new Set(["npx", "npm", "pnpm", "bunx", "uvx", "uv", "pipx", "docker", "podman", "deno"]);
const patientMs = 3_000;

/** Milliseconds after which a server that has not said its era is asked to `initialize`; null for one known to be modern. */
function hedgeMs(config: StdioServerConfig, known: Era | null, context: OpenContext): number | null {
  if (known === "modern") return null;
  const limitMs = probeLimitMs(context.limits);
  return launchers.has(basename(config.command)) ? limitMs : Math.min(limitMs, patientMs);
}

/**
 * Brings a spawned server to the point where it can be used. A second process is started only for a server that dies of
 * the probe, or that has changed its era since it was remembered.
 */
export async function openStdio(
  config: StdioServerConfig,
  first: SpawnedServer,
  context: OpenContext,
): Promise<Connection> {
  const memo = createEraMemo(config, context);
  let current = first;
  try {
    return await negotiated(config, memo, context, first, (next) => {
      current = next;
    });
  } catch (thrown) {
    memo.forget();
    const { transport } = current;
    const exit = transport.exit();
    await transport.kill();
    const facts = factsOf(transport);
    // A server that was given up ends by the host's own hand, which says nothing of it.
    throw context.failures.fromThrown(thrown, context.signal.aborted ? { ...facts, exit } : facts);
  }
}

async function negotiated(
  config: StdioServerConfig,
  memo: EraMemo,
  context: OpenContext,
  first: SpawnedServer,
  replace: (next: SpawnedServer) => void,
): Promise<Connection> {
  const asked = config.protocol ?? "auto";
  const known = asked === "auto" ? memo.get() : null;
  const mode = known === "legacy" ? "legacy" : asked;
  const learn = (era: Era) => {
    // A remembered verdict keeps its date, so that it is checked again one day.
    if (asked === "auto" && era !== known) memo.set(era);
  };
  const outcome = await attempt(config, first, mode, known, context, learn);
  if (typeof outcome !== "string") return outcome;
  const next = spawnStdio(config, context);
  replace(next);
  await first.transport.kill();
  const last = await attempt(config, next, outcome, null, context, learn);
  if (typeof last !== "string") return last;
  throw context.failures.make(
    "server_protocol",
    "it could not be asked for its protocol",
    factsOf(next.transport),
  );
}

/** A connection, or the mode in which the server should be started once more. */
async function attempt(
  config: StdioServerConfig,
  { transport, started }: SpawnedServer,
  mode: "auto" | Era,
  known: Era | null,
  context: OpenContext,
  learn: (era: Era) => void,
): Promise<Connection | "auto" | "legacy"> {
  const loading = loadSdk();
  await untilAborted(started, context.signal);
  const { identity, clock } = context;
  const negotiation = negotiate(transport, {
    mode,
    hedgeMs: hedgeMs(config, known, context),
    identity,
    capabilities: context.requests.capabilities,
    clock,
  });
  const [settled, sdk] = await untilAborted(Promise.all([negotiation.settled, loading]), context.signal);
  const outcome: Negotiated = transport.exit() === null ? settled : exitedInstead(settled);
  if (outcome.type === "exited") {
    if (outcome.mute && mode === "auto") return "legacy";
    throw context.failures.make("server_exited", "it ended before it was ready", factsOf(transport));
  }
  if (outcome.type === "refused") {
    if (known === "legacy") return "auto";
    throw context.failures.make("server_protocol", outcome.reason, factsOf(transport));
  }
  const connected = await handOver(sdk, transport, outcome, negotiation.release, context);
  return {
    ...connected,
    facts: () => factsOf(transport),
    unusable: () => connected.unusable() + transport.skippedLines(),
    confirm: () => learn(outcome.type === "modern" ? "modern" : outcome.remember),
    close: () => transport.close(),
  };
}

/** The process is gone although it had answered: what it answered is of no use. */
function exitedInstead(settled: Negotiated): Negotiated {
  return settled.type === "exited" ? settled : { type: "exited", mute: false };
}

function factsOf(transport: StdioTransport): ProcessFacts {
  return { exit: transport.exit(), stderr: transport.stderrTail(), skippedLines: transport.skippedLines() };
}
