import type { Drift } from "../consent/drift.ts";
import { HostError } from "../errors.ts";
import type { ServerConfig } from "../types/config.ts";
import type { Emit } from "../types/events.ts";
import type { Clock } from "../types/ports.ts";
import type { Stores } from "../types/stores.ts";
import type { CatalogTool, ServerToolList } from "../types/tool.ts";
import { whyBlocked } from "./definition-pins.ts";
import { type DefinitionReview, heldPins, reviewList } from "./definition-review.ts";
import { mergeSeen } from "./definition-state.ts";
import {
  acceptTool,
  compareList,
  type DefinitionNews,
  openWatched,
  pinFirst,
  pinNow,
  takeNews,
  type Watched,
} from "./watched-definitions.ts";

/** Compares the tools of servers with what they were when they were last used. */
export interface DefinitionWatch extends Drift {
  /**
   * Looks at lists before anybody uses them. With `emit` it is a run: what changed since an earlier one is returned and kept.
   * Rejects with `store_failed` where a required server's tools are pinned and the pins are gone; without `emit` never.
   */
  look(lists: readonly ServerToolList[], emit: Emit | null): Promise<readonly DefinitionNews[]>;
  /** Why a tool is kept from the model because of its pins, or null. */
  blocked(tool: CatalogTool): string | null;
  /** How a list that was looked at differs from what was known, or pinned. */
  review(list: ServerToolList): DefinitionReview;
  /** Takes the tools of a server as they are now, and pins them where they are pinned. Rejects with `store_failed`. */
  pin(list: ServerToolList): Promise<void>;
  isBlocking(server: string): boolean;
  /** Resolves when everything is kept. */
  settled(): Promise<void>;
}

export interface WatchSettings {
  readonly stores: Stores;
  readonly servers: readonly (readonly [id: string, config: ServerConfig])[];
  readonly principal: string;
  readonly clock: Clock;
}

export function createDefinitionWatch(settings: WatchSettings): DefinitionWatch {
  const { clock } = settings;
  const configs = new Map(settings.servers);
  const isBlocking = (server: string) => configs.get(server)?.drift === "block";
  const { open, known } = createWatching(settings, isBlocking);
  const looked = new WeakSet<ServerToolList>();
  const now = () => new Date(clock.wall()).toISOString();
  /** Writings come after each other, so that what was accepted is never overtaken by what was seen. */
  let writing: Promise<void> = Promise.resolve();

  /** Nothing waits for it, and what cannot be kept is noticed again. */
  function write(work: () => Promise<void>): void {
    writing = writing.then(work).catch(() => {});
  }

  async function compared(list: ServerToolList): Promise<Watched | null> {
    const watched = await open(list);
    if (watched === null || looked.has(list)) return watched;
    looked.add(list);
    compareList(watched, list, now());
    return watched;
  }

  async function lookAt(list: ServerToolList, emit: Emit | null): Promise<DefinitionNews | null> {
    const watched = await compared(list);
    if (emit === null) return null;
    const isRequired = configs.get(list.server)?.required !== false;
    if (watched === null) {
      if (isBlocking(list.server) && isRequired) throw noStore(list.server);
      return null;
    }
    if (watched.pins?.type === "lost" && isRequired) throw pinsLost(watched.pins.problem);
    await pinFirst(watched, now());
    const { isNews, store, of } = watched;
    const news = takeNews(watched, emit);
    if (!isNews) return null;
    const listed = new Set(list.tools.map(({ name }) => name));
    write(() => store.update(of, "seen", (kept) => mergeSeen(kept, watched.tools, listed, now())));
    return news;
  }

  return {
    isBlocking,
    async look(lists, emit) {
      const news = await Promise.all(lists.map((list) => lookAt(list, emit)));
      return news.filter((one) => one !== null);
    },
    blocked(tool) {
      if (!isBlocking(tool.route.server) || tool.definition.method !== undefined) return null;
      const watched = known(tool.route.server, tool.configHash);
      if (watched === undefined || watched.pins === null)
        return "what it is pinned as could not be looked up";
      return whyBlocked(tool, heldPins(watched, watched.pins, now()));
    },
    before(tool) {
      const kept = known(tool.route.server, tool.configHash)?.tools.get(tool.route.tool);
      return kept?.definitionHash === tool.definitionHash ? (kept.before ?? null) : null;
    },
    accept(tool) {
      const watched = known(tool.route.server, tool.configHash);
      const keeping = watched === undefined ? null : acceptTool(watched, tool);
      if (keeping !== null) write(keeping);
    },
    review(list) {
      const watched = known(list.server, list.configHash);
      if (watched === undefined) return { pinnedAt: null, problem: null, differences: [] };
      return reviewList(list, watched, now());
    },
    async pin(list) {
      const watched = await compared(list);
      if (watched === null) throw noStore(list.server);
      await writing;
      await pinNow(watched, list, now());
    },
    settled: () => writing,
  };
}

/** Reads what is known of a server, once for each configuration. */
function createWatching(
  { stores, principal }: WatchSettings,
  isBlocking: (server: string) => boolean,
): {
  /** Null where nothing can be kept. */
  open(list: ServerToolList): Promise<Watched | null>;
  known(server: string, configHash: string): Watched | undefined;
} {
  const watching = new Map<string, Promise<Watched | null>>();
  const opened = new Map<string, Watched>();
  const keyOf = (server: string, configHash: string) => `${configHash} ${server}`;

  async function read({ server, configHash }: ServerToolList): Promise<Watched | null> {
    const store = await stores.openDefinitions?.();
    if (store === undefined) return null;
    const watched = await openWatched(store, { principal, server, configHash }, isBlocking(server));
    opened.set(keyOf(server, configHash), watched);
    return watched;
  }

  return {
    open(list) {
      const key = keyOf(list.server, list.configHash);
      const opening = watching.get(key) ?? read(list).catch(() => null);
      watching.set(key, opening);
      return opening;
    },
    known: (server, configHash) => opened.get(keyOf(server, configHash)),
  };
}

function pinsLost(problem: string): HostError {
  return new HostError("store_failed", `Nothing runs: ${problem}.`);
}

function noStore(server: string): HostError {
  return new HostError(
    "store_failed",
    `The definitions of the tools of server "${server}" cannot be kept, so that drift: "block" cannot hold: repair the state folder, or use stores with openDefinitions.`,
  );
}
