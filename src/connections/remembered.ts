import type { ServerSetting } from "../types/config.ts";
import type { Json } from "../types/json.ts";
import type { KnownLists } from "../types/known-lists.ts";
import type { Secrets } from "../types/ports.ts";
import type { Connection } from "./connection.ts";
import { createKnownTools, type KnownTools, type KnownToolsSettings } from "./known-tools.ts";
import type { ReadTools } from "./paging.ts";

/** What an earlier process knew of a server: it is used until the server itself is up. */
export interface Remembered {
  /** The `fetch` that its requests go through. */
  readonly fetch: typeof fetch;
  /** Reads it once. Null when nothing is known. Never rejects. */
  recall(): Promise<KnownTools | null>;
  /** What the server said of its own use, once that was read; else null. */
  instructions(): string | null;
  /** The list was read. */
  keep(read: ReadTools, connection: Connection): void;
  /** The server could not be used: the next process waits for it. */
  forget(): void;
}

export interface RememberedSettings extends Omit<KnownToolsSettings, "lists"> {
  /** Null: nothing is remembered. */
  readonly lists: KnownLists | null;
  readonly fetch: typeof fetch;
  /** What is replaced in everything that is remembered. */
  readonly secrets: Secrets;
}

export function createRemembered(setting: ServerSetting, settings: RememberedSettings): Remembered {
  const { lists } = settings;
  const memory = lists === null ? null : createKnownTools(setting, { ...settings, lists });
  const { config } = setting;
  const login = "url" in config ? watchLogin(settings.fetch, config.headers) : null;
  let recalling: Promise<KnownTools | null> | undefined;
  let instructions: string | null = null;
  return {
    fetch: login?.fetch ?? settings.fetch,
    recall() {
      recalling ??= (memory?.recall() ?? Promise.resolve(null)).then((known) => {
        instructions = known?.instructions ?? null;
        return known;
      });
      return recalling;
    },
    instructions: () => instructions,
    keep(read, connection) {
      // Who logged in is not known here, so what only they may see is not kept for whoever comes next.
      if (login?.seen() === true && !read.isPublic) memory?.forget();
      else memory?.keep(read, saidBy(connection, "url" in config, settings.secrets));
    },
    forget: () => memory?.forget(),
  };
}

/** A process is asked for its discovery with every start, so that it is not kept. */
function saidBy(
  { client, era, instructions }: Connection,
  isRemote: boolean,
  { redact, redactJson }: Secrets,
): Pick<KnownTools, "instructions" | "discover"> {
  const discover = isRemote && era === "modern" ? client.getDiscoverResult() : undefined;
  return {
    ...(typeof instructions === "string" ? { instructions: redact(instructions) } : {}),
    ...(discover === undefined
      ? {}
      : { discover: redactJson(discover as Json) as KnownTools["discover"] & object }),
  };
}

/** Notices whether requests carry an authorization that is not in the config. */
function watchLogin(
  fetch: typeof globalThis.fetch,
  configured: Readonly<Record<string, string>> = {},
): { readonly fetch: typeof globalThis.fetch; seen(): boolean } | null {
  if (Object.keys(configured).some((name) => name.toLowerCase() === "authorization")) return null;
  let seen = false;
  return {
    fetch(input, init) {
      seen ||= new Headers(init?.headers).has("authorization");
      return fetch(input, init);
    },
    seen: () => seen,
  };
}
