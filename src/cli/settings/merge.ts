import { HostError } from "../../errors.ts";
import type { ServerConfig } from "../../types/config.ts";
import type { ConfiguredServer, LoadedConfig, Setting, SettingOrigin } from "../../types/settings.ts";
import { compareCodeUnits } from "../../util/stable-json.ts";
import { visibleLine } from "../../util/visible.ts";
import type { HostFlags } from "../host-flags.ts";
import { allowRules, type CommandReader, serverConfigs, trustedIds } from "../servers.ts";
import { originText } from "./written.ts";

const flagOrigin = (flag: string): SettingOrigin => ({ type: "flag", flag });

function setting<T>(flag: string, value: T | undefined): Setting<T> | undefined {
  return value === undefined ? undefined : { value, origin: flagOrigin(flag) };
}

/** A server that was typed: nothing of it comes from elsewhere, and typing it is the agreement. */
function typedServer(id: string, config: ServerConfig): ConfiguredServer {
  return {
    id,
    config,
    written: config,
    variables: [],
    origin: flagOrigin("--server"),
    disabled: false,
    pending: false,
    configHash: "",
  };
}

/** A disabled server was not checked like the others: whether it waits for an agreement, and what it lacks. */
function enabled(server: ConfiguredServer): ConfiguredServer {
  if (!server.disabled) return server;
  throw new HostError("config_invalid", disabledText(server));
}

/** That a server is disabled, and where to change that. */
export function disabledText({ id, origin }: ConfiguredServer): string {
  return `Server "${visibleLine(id)}" is disabled (${originText(origin)}): take "disabled" out there first.`;
}

/**
 * The servers of the config and of the `--server` options, by id. An option that is just the id of a configured server
 * means that one: then only the servers that the options name are used. Any other option adds a server, in the place of
 * a configured one with its id.
 */
function mergeServers(
  configured: readonly ConfiguredServer[],
  texts: readonly string[],
  reader: CommandReader,
): readonly ConfiguredServer[] {
  const byId = new Map(configured.map((server) => [server.id, server]));
  const chosen = new Map<string, ConfiguredServer>();
  const typed: string[] = [];
  for (const text of texts) {
    const known = byId.get(text) ?? byId.get(text.trim());
    if (known === undefined) typed.push(text);
    else chosen.set(known.id, enabled(known));
  }
  const merged = chosen.size > 0 ? chosen : byId;
  for (const [id, config] of Object.entries(serverConfigs(typed, reader)))
    merged.set(id, typedServer(id, config));
  return [...merged.values()].sort((a, b) => compareCodeUnits(a.id, b.id));
}

/**
 * What the options of the command line say, over what the config files say.
 * @throws HostError `config_invalid`: a server that cannot be read, a rule or a trust for one that is not there
 */
export function mergeFlags(loaded: LoadedConfig, flags: HostFlags, reader: CommandReader): LoadedConfig {
  const servers = mergeServers(loaded.servers, flags.servers, reader);
  const ids = servers.map((server) => server.id);
  const model = setting("--model", flags.model) ?? loaded.model;
  const fallbacks = flags.fallbackModels.map((value) => ({ value, origin: flagOrigin("--fallback-model") }));
  const system = setting("--system", flags.system) ?? loaded.system;
  const resourceTools = setting("--resource-tools", flags.resourceTools) ?? loaded.resourceTools;
  const limits = {
    turns: setting("--max-turns", flags.maxTurns),
    tokens: setting("--max-tokens", flags.maxTokens),
    cost: setting("--max-cost", flags.maxCost),
    runMs: setting("--timeout", flags.timeoutMs),
  };
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return {
    ...loaded,
    servers,
    ...(model === undefined ? {} : { model }),
    ...(fallbacks.length === 0 ? {} : { fallbackModels: fallbacks }),
    ...(system === undefined ? {} : { system }),
    ...(resourceTools === undefined ? {} : { resourceTools }),
    limits: { ...loaded.limits, ...Object.fromEntries(given) },
    rules: [
      ...loaded.rules,
      ...allowRules(flags.allow, ids).map((value) => ({ value, origin: flagOrigin("--allow") })),
    ],
    trust: [
      ...loaded.trust,
      ...trustedIds(flags.trust, ids).map((value) => ({ value, origin: flagOrigin("--trust") })),
    ],
  };
}
