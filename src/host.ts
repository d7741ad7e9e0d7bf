import { setMaxListeners } from "node:events";
import { createSecrets } from "./audit/secrets.ts";
import { checkPrices } from "./budget/cost.ts";
import { createCallResolver } from "./calls/resolver.ts";
import { createSchemaValidator } from "./calls/schema-validator.ts";
import { slugOf } from "./catalog/names.ts";
import { createToolOffers } from "./catalog/offered-tools.ts";
import { type Environment, readEnvironment } from "./config/environment.ts";
import { defaultMaxTokens, limitsOver } from "./config/limits.ts";
import { checkServers, idleTrust } from "./config/servers.ts";
import { stateFolder } from "./config/state-folder.ts";
import { createKeepAliveFetch } from "./connections/keep-alive-fetch.ts";
import { createConnections } from "./connections/manager.ts";
import { createConsent, type HostConsent } from "./consent/consent.ts";
import type { LastingGrants } from "./consent/grants.ts";
import { HostError } from "./errors.ts";
import { createServerLimiters } from "./execution/executor.ts";
import { samplingConsentOf } from "./host/answer-servers.ts";
import { auditOf } from "./host/audit-sink.ts";
import { checkOptions } from "./host/check-options.ts";
import { openConversation } from "./host/conversation.ts";
import { createDefinitionWatch, type DefinitionWatch } from "./host/definition-watch.ts";
import { callDirectly } from "./host/direct-call.ts";
import { createHostDrift } from "./host/drift.ts";
import { explainCall } from "./host/explain.ts";
import { lastingGrants } from "./host/lasting-grants.ts";
import { watchLogins } from "./host/login-watch.ts";
import { createNotices } from "./host/notices.ts";
import { createHostOffers } from "./host/offers.ts";
import { checkStores } from "./host/own-stores.ts";
import { type HostParts, openCatalog } from "./host/parts.ts";
import { policyRules } from "./host/policy-rules.ts";
import { principalOf } from "./host/principal.ts";
import { settled } from "./host/ready.ts";
import { registerSecrets } from "./host/register-secrets.ts";
import { withResourceTools } from "./host/resource-tools.ts";
import { resultParts } from "./host/result-parts.ts";
import { createModelSelector } from "./host/select-models.ts";
import { createFolders, createTimeouts, createToolFilter, isTrusted } from "./host/server-settings.ts";
import { telemetryOf } from "./host/telemetry.ts";
import { within } from "./host/within.ts";
import { createPager } from "./results/pager.ts";
import { openFileStores } from "./stores/file-stores.ts";
import { createMemoryStores } from "./stores/memory-stores.ts";
import { createTokenMemory } from "./stores/token-memory.ts";
import type { TokenStore } from "./types/auth.ts";
import type { HostOptions, Limits } from "./types/config.ts";
import type { Host } from "./types/host.ts";
import type { CallServer, Connections, Secrets } from "./types/ports.ts";
import type { Stores } from "./types/stores.ts";
import { builtinServer } from "./types/tool.ts";
import { type LinkedAbort, linkAbort } from "./util/abort.ts";
import { systemClock as clock } from "./util/clock.ts";
import { version } from "./version.ts";

/**
 * Makes a host: the only place that knows how everything is built. Its servers start at once, in parallel; a run waits
 * for the required ones.
 * @throws HostError `config_invalid`, `model_unknown`, `model_key_missing`
 */
export function createHost(options: HostOptions): Host {
  checkOptions(options);
  const parts = buildParts(options);
  const { model, audit, connections, everything, stores, underWay } = parts;
  let closing: Promise<void> | undefined;

  async function withSignal<T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const abort = linkAbort(signal, everything.signal);
    const working = work(abort.signal);
    underWay.add(working);
    try {
      return await working;
    } finally {
      underWay.delete(working);
      abort.end();
    }
  }

  async function close(): Promise<void> {
    everything.abort(new HostError("closed", "The host was closed."));
    // The ends of aborted runs belong into the log; one that does not end is not waited for.
    await within(clock, endOfRunsMs, Promise.allSettled(underWay));
    // Spans go out while the servers end.
    const sent = parts.telemetry?.flush(mostOfFlushMs);
    await connections.close();
    await sent;
    parts.disconnect();
    await within(clock, endOfRunsMs, closeStores());
  }

  async function closeStores(): Promise<void> {
    await audit?.close?.();
    await parts.definitions.settled();
    await stores.close();
  }

  return {
    model: { api: model.api, name: model.name, offline: model.capabilities.offline },
    get auditLocation() {
      return audit?.location || null;
    },
    get notices() {
      return parts.notices.untold;
    },
    run: (input, settings = {}) => openConversation(parts, settings).run(input, settings),
    conversation: (settings) => openConversation(parts, settings),
    call: (server, tool, args = {}, { signal } = {}) =>
      withSignal(signal, (linked) => callDirectly(parts, { server, tool }, args, linked)),
    explain: (server, tool, args = {}, { signal, reads } = {}) =>
      withSignal(signal, (linked) => explainCall(parts, { server, tool }, args, reads, linked)),
    tools: ({ signal } = {}) =>
      withSignal(signal, async (linked) => {
        await settled(parts, linked);
        const snapshot = await openCatalog(parts, null).snapshot(linked);
        const behindSearch = model.behindSearch?.(snapshot, []) ?? null;
        return behindSearch === null ? snapshot : { ...snapshot, behindSearch };
      }),
    ...createHostOffers(parts, withSignal),
    ...createHostDrift(parts, withSignal),
    policyWarnings: ({ signal } = {}) =>
      withSignal(signal, async (linked) => {
        await settled(parts, linked);
        return [...parts.consent.warnings, ...parts.consent.misses(await connections.lists(linked))];
      }),
    status: () => connections.status(),
    selectModel: parts.selectModel,
    redact: (text) => parts.secrets.redact(text),
    close() {
      closing ??= close();
      return closing;
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

function buildParts(options: HostOptions): HostParts {
  const environment = readEnvironment();
  const limits = limitsOver(options.limits);
  checkPrices(options.prices ?? {});
  const secrets = createSecrets();
  const stores = storesOf(options.state, environment);
  const fetch = createKeepAliveFetch({ environment });
  const redact = (text: string) => secrets.redact(text);
  const lasting = lastingGrants(stores, options.servers);
  const servers = checkServers(options.servers, slugOf);
  const principal = principalOf(options);
  const definitions = createDefinitionWatch({ stores, servers, principal, clock });
  const consent = consentOf(options, redact, lasting, definitions);
  const logins = watchLogins(stores.tokens ?? createTokenMemory(), principal);
  const servedBy = connectionsOf(options, {
    ...{ servers, limits, environment, secrets, stores, fetch },
    logins: logins.store,
  });
  const connections = options.resourceTools === true ? withResourceTools(servedBy) : servedBy;
  const offering = createToolOffers(limits.offeredTools);
  const selectModel = createModelSelector(options, { environment, secrets, fetch, limits, clock, offering });
  const model = selectModel(options.model);
  connections.start();
  const validator = createSchemaValidator();
  const notices = createNotices();
  const audit = auditOf(options.audit, { stores, principal, clock, tell: notices.tell });
  return {
    clock,
    limits,
    prices: options.prices ?? {},
    system: options.system ?? "",
    maxTokens: options.maxTokens ?? defaultMaxTokens,
    principal,
    secrets,
    stores,
    storing: options.state !== false && options.store !== false,
    audit: audit.sink,
    auditArguments: audit.arguments,
    notices,
    connections,
    model,
    selectModel,
    offering,
    resolver: createCallResolver(validator),
    consent,
    elicit: options.elicit ?? null,
    samplingConsent: samplingConsentOf(options, redact, lasting),
    instructions: options.instructions ?? "trusted",
    openGrants: lasting.open,
    keptBack: keptBackOf(consent, servers),
    definitions,
    timeoutOf: createTimeouts(servers),
    warnings: [...consent.warnings, ...idleTrust(options.policy?.trust ?? [], Object.keys(options.servers))],
    ...resultParts(options, { limits, validator, redact, stores, servers, logins }),
    call: callerOf(createPager(stores.spill, limits), connections),
    telemetry: telemetryOf(options.telemetry, {
      ...{ servers, environment, secrets, clock, fetch, version },
      tell: (sentence) => notices.tell(sentence, "telemetry"),
    }),
    disconnect: () => fetch.close?.(),
    serverLimiter: createServerLimiters(limits.callsPerServer),
    underWay: new Set(),
    everything: closingAbort(),
  };
}

function consentOf(
  { policy, approve, servers }: HostOptions,
  redact: (text: string) => string,
  lasting: LastingGrants,
  drift: DefinitionWatch,
): HostConsent {
  return createConsent({
    ...policyRules(policy),
    folderOf: createFolders(servers),
    approve: approve ?? null,
    clock,
    redact,
    servers: Object.keys(servers),
    lasting,
    drift,
  });
}

function callerOf(page: CallServer, connections: Connections): CallServer {
  return (call) => (call.route.server === builtinServer ? page(call) : connections.call(call));
}

function keptBackOf(consent: HostConsent, servers: ServerEntries): HostParts["keptBack"] {
  const leavesOut = createToolFilter(servers);
  return (route) => {
    if (consent.hidden(route)) return "hidden by a rule";
    return leavesOut(route) ? "left out by the config" : null;
  };
}

type ServerEntries = ReturnType<typeof checkServers>;

interface ConnectionParts {
  readonly servers: ServerEntries;
  readonly limits: Limits;
  readonly environment: Environment;
  readonly secrets: Secrets;
  readonly stores: Stores;
  readonly fetch: typeof globalThis.fetch;
  readonly logins: TokenStore;
}

function connectionsOf(
  options: HostOptions,
  { servers, limits, environment, secrets, stores, fetch, logins }: ConnectionParts,
): Connections {
  for (const [id, config] of servers) registerSecrets(id, config, secrets);
  const enabled = servers.filter(([, config]) => config.disabled !== true);
  return createConnections({
    servers: enabled.map(([id, config]) => ({
      id,
      config,
      trusted: isTrusted(id, config, options.policy),
    })),
    limits,
    clock,
    memo: stores.memo,
    ...(stores.knownLists === undefined ? {} : { knownLists: stores.knownLists }),
    secrets,
    hashKey: () => stores.hashKey(),
    environment,
    fetch,
    access: {
      principal: principalOf(options),
      store: logins,
      authorize: options.authorize ?? null,
    },
    elicitation: options.elicit !== undefined,
    version,
  });
}

/** How long aborted runs may take to end, and stores to close, in ms. */
const endOfRunsMs = 5_000;
/** How long the last spans may take to be sent, in ms. */
const mostOfFlushMs = 2_000;

/** Every run that is under way listens for the end of the host. */
function closingAbort(): LinkedAbort {
  const abort = linkAbort();
  setMaxListeners(0, abort.signal);
  return abort;
}

function storesOf(state: HostOptions["state"], environment: Environment): Stores {
  if (state === false) return createMemoryStores();
  if (state !== undefined && (typeof state !== "string" || state === "")) return checkStores(state);
  return openFileStores(state ?? stateFolder(environment), { clock });
}
