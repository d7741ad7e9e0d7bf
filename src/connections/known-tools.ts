import type { ServerConfig, ServerSetting } from "../types/config.ts";
import type { Json } from "../types/json.ts";
import type { KnownLists } from "../types/known-lists.ts";
import type { Clock } from "../types/ports.ts";
import type { QuarantinedTool, ServerTool } from "../types/tool.ts";
import { keyedHashHex, sha256Hex } from "../util/hash.ts";
import { isObject } from "../util/own.ts";
import { stableJson } from "../util/stable-json.ts";
import { ingestTool } from "./ingest-tools.ts";
import type { ReadTools } from "./paging.ts";

/** How long a list is believed where the server does not say less: it may have another version by then. */
const horizonMs = 7 * 24 * 60 * 60 * 1000;

/** What a server was last seen to offer. */
export interface KnownTools {
  readonly tools: readonly ServerTool[];
  readonly quarantined: readonly QuarantinedTool[];
  /** What it said of its own use. */
  readonly instructions?: string;
  /** The answer to `server/discover`, where it makes another question unnecessary. */
  readonly discover?: Readonly<Record<string, unknown>>;
}

/** The memory of one server's tools between processes. Nothing of it rejects. */
export interface KnownToolsMemory {
  /** Null when nothing is known that may still be believed. */
  recall(): Promise<KnownTools | null>;
  keep(read: ReadTools, said: Pick<KnownTools, "instructions" | "discover">): void;
  forget(): void;
}

export interface KnownToolsSettings {
  readonly lists: KnownLists;
  readonly clock: Clock;
  /** The host's version: another one may read the same answers differently. */
  readonly version: string;
  /** On whose behalf the host acts. */
  readonly principal: string | null;
  readonly configHash: () => Promise<string>;
  readonly hashKey: () => Promise<Uint8Array>;
}

/**
 * Null for a server that is never remembered: one behind a transport of the program's own has nothing that it could be
 * known again by. The key names everything that a list may depend on: what is started or reached, with the values of
 * headers and of `auth`, and on whose behalf.
 */
export function createKnownTools(
  { id, config }: ServerSetting,
  settings: KnownToolsSettings,
): KnownToolsMemory | null {
  if ("transport" in config) return null;
  const { lists, clock } = settings;
  let naming: Promise<string> | undefined;
  let lastText = "";
  let lastUntil = 0;

  function key(): Promise<string> {
    naming ??= keyOf(config, settings);
    return naming;
  }

  function write(value: Json | undefined): void {
    key().then(
      (name) => lists.write(name, value),
      // A host without a key says so itself, and remembers nothing.
      () => {},
    );
  }

  return {
    async recall() {
      try {
        const stored = await lists.read(await key());
        const known = readKnown(id, stored, clock.wall());
        if (known === null) return null;
        const { until, ...tools } = known;
        lastUntil = until;
        lastText = textOf(tools);
        return tools;
      } catch {
        return null;
      }
    },
    keep({ tools, quarantined, ttlMs }, said) {
      const known: KnownTools = { tools, quarantined, ...said };
      const now = clock.wall();
      const lifeMs = ttlMs > 0 ? Math.min(ttlMs, horizonMs) : horizonMs;
      const text = textOf(known);
      // What stands there already is written again only when half of its time is over.
      if (text === lastText && lastUntil - now > lifeMs / 2) return;
      lastText = text;
      lastUntil = now + lifeMs;
      write({ v: 1, at: now, until: lastUntil, ...(known as unknown as Record<string, Json>) });
    },
    forget() {
      lastText = "";
      write(undefined);
    },
  };
}

const textOf = (known: KnownTools): string => stableJson(known as unknown as Json);

async function keyOf(config: ServerConfig, settings: KnownToolsSettings): Promise<string> {
  const [hash, key] = await Promise.all([settings.configHash(), settings.hashKey()]);
  const secret = "url" in config ? { headers: config.headers ?? {}, auth: config.auth ?? {} } : {};
  return sha256Hex(
    stableJson({
      config: hash,
      host: settings.version,
      principal: settings.principal,
      protocol: config.protocol ?? "auto",
      secret: keyedHashHex(key, stableJson(secret as unknown as Json)),
    }),
  );
}

/** What was kept, read as if a server had sent it: anything that would be repaired now was not written by this host. */
function readKnown(
  server: string,
  stored: Json | undefined,
  now: number,
): (KnownTools & { until: number }) | null {
  if (!isObject(stored) || stored.v !== 1) return null;
  const { at, until, tools, quarantined, instructions, discover } = stored;
  if (typeof at !== "number" || typeof until !== "number" || at > now || until <= now) return null;
  if (until - at > horizonMs || !Array.isArray(tools) || !Array.isArray(quarantined)) return null;
  const kept: ServerTool[] = [];
  for (const [position, raw] of tools.entries()) {
    const ingested = ingestTool(raw, position);
    if (ingested.type === "quarantined") return null;
    kept.push(ingested.tool);
  }
  const held = quarantined.flatMap((one): QuarantinedTool[] => {
    if (!isObject(one) || typeof one.tool !== "string" || typeof one.reason !== "string") return [];
    return [{ server, tool: one.tool, reason: one.reason }];
  });
  return {
    ...{ tools: kept, quarantined: held, until },
    ...(typeof instructions === "string" ? { instructions } : {}),
    ...(isObject(discover) ? { discover } : {}),
  };
}
