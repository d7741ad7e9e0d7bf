import { type ConversationCatalog, createRunCatalog } from "../catalog/catalog.ts";
import type { createConsent, HostConsent } from "../consent/consent.ts";
import type { LabelsOf } from "../consent/labels.ts";
import { pagerTools } from "../results/pager-tool.ts";
import type { AuditSink } from "../types/audit.ts";
import type { HostOptions, Limits } from "../types/config.ts";
import type { Elicitor } from "../types/elicitation.ts";
import type { Emit } from "../types/events.ts";
import type { Model } from "../types/model.ts";
import type { CallResolver, CallServer, Clock, Connections, ResultMapper, Secrets } from "../types/ports.ts";
import type { Stores } from "../types/stores.ts";
import type { ToolRoute } from "../types/tool.ts";
import type { LinkedAbort } from "../util/abort.ts";
import type { Limiter } from "../util/limit.ts";
import type { BroughtBlocks, ReadsOfMessages } from "./brought.ts";
import { createCatalogNews } from "./catalog-news.ts";
import type { DefinitionWatch } from "./definition-watch.ts";
import type { Notices } from "./notices.ts";
import type { Telemetry } from "./telemetry.ts";

/** What all runs of a host share. */
export interface HostParts {
  readonly clock: Clock;
  readonly limits: Limits;
  /** The program's own prices of models. */
  readonly prices: NonNullable<HostOptions["prices"]>;
  readonly system: string;
  readonly maxTokens: number;
  readonly principal: string;
  readonly secrets: Secrets;
  readonly stores: Stores;
  /** Whether conversations are stored. */
  readonly storing: boolean;
  readonly audit: AuditSink | null;
  /** Whether arguments are kept in it, or their hash alone. */
  readonly auditArguments: "redacted" | "hash";
  /** What every run under way is told about the host. */
  readonly notices: Notices;
  readonly connections: Connections;
  readonly model: Model;
  /** Makes another model, by its name. */
  readonly selectModel: (name: string) => Model;
  /** Gives a model no more tools than it has room for. */
  readonly offering: (model: Model) => Model;
  readonly resolver: CallResolver;
  readonly consent: ReturnType<typeof createConsent>;
  /** Asks the person for a server; null where there is nobody. */
  readonly elicit: Elicitor | null;
  /** Decides whether servers may ask the model; null when none may. */
  readonly samplingConsent: HostConsent | null;
  /** Whose instructions go behind the system prompt. */
  readonly instructions: NonNullable<HostOptions["instructions"]>;
  /** Opens the grants that outlast a conversation. Never rejects. */
  readonly openGrants: () => Promise<void>;
  /** Why a tool is kept from the model, or null. */
  readonly keptBack: (route: ToolRoute) => string | null;
  /** Compares tools with what they were when they were last used. */
  readonly definitions: DefinitionWatch;
  /** The longest time for one call of a server, where its config says one, milliseconds. */
  readonly timeoutOf: (server: string) => number | undefined;
  /** What is odd about the policy without making it useless, as sentences; every run tells them. */
  readonly warnings: readonly string[];
  readonly results: ResultMapper;
  /** Whether results stand between markers. */
  readonly wrapping: boolean;
  /** Says of what a tool gives back where it comes from. */
  readonly labelsOf: LabelsOf;
  /** What the host gave out of servers' resources and prompts. */
  readonly brought: BroughtBlocks;
  /** What conversations had read, by their messages. */
  readonly readsOf: ReadsOfMessages;
  /** Built-in tools and servers alike. */
  readonly call: CallServer;
  /** Makes spans; null where that is turned off. */
  readonly telemetry: Telemetry | null;
  /** Ends the connections that were kept open for the next request. */
  readonly disconnect: () => void;
  readonly serverLimiter: (server: string) => Limiter;
  /** Runs and direct calls that have not ended; closing waits for them. */
  readonly underWay: Set<Promise<unknown>>;
  /** Fires when the host is closed. */
  readonly everything: LinkedAbort;
}

/** Runs work that ends with the host, and that closing waits for. */
export type WithSignal = <T>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** The tools of one conversation; without `emit` for somebody who only looks: what changed is then not told, and stays news. */
export function openCatalog(parts: HostParts, emit: Emit | null): ConversationCatalog {
  const { connections, definitions } = parts;
  const telling = createCatalogNews(definitions, emit, parts.consent.misses);
  return createRunCatalog({
    builtin: pagerTools,
    async lists(signal) {
      const lists = await connections.lists(signal);
      await telling.look(lists);
      return lists;
    },
    current: () => connections.current(),
    refresh: (server, signal) => connections.refresh?.(server, signal) ?? null,
    keptBack: (route, tool) => parts.keptBack(route) ?? telling.blocked(tool),
    onChange: telling.changed,
  });
}
