import { parseRules } from "../consent/rules.ts";
import { HostError } from "../errors.ts";
import type { AuditOptions } from "../types/audit.ts";
import type { HostOptions, Limits } from "../types/config.ts";
import type { LoadedConfig } from "../types/settings.ts";

/**
 * The options of a host for what the config files say. Disabled and pending servers are left out, and so is a server
 * with a problem that is not required.
 * @throws HostError `config_invalid`: the problem of a required server, or a rule that cannot be read. Filter `servers`
 * before to go on without one.
 */
export function hostOptions(loaded: LoadedConfig): HostOptions {
  const ready = loaded.servers.filter((server) => !server.disabled && !server.pending);
  const broken = ready.find(({ problem, config }) => problem !== undefined && config.required !== false);
  if (broken?.problem !== undefined) throw new HostError("config_invalid", broken.problem);
  const started = ready.filter(({ problem }) => problem === undefined);
  const resting = new Set(loaded.servers.map(({ id }) => id));
  for (const { id } of started) resting.delete(id);
  const { model, fallbackModels = [], baseUrl, system, maxTokens, limits, prices, audit } = loaded;
  const { resourceTools, wrapResults, flows, drift } = loaded;
  return {
    servers: Object.fromEntries(
      started.map(({ id, config }) => [id, drift === undefined ? config : { ...config, drift: drift.value }]),
    ),
    ...(model === undefined ? {} : { model: model.value }),
    ...(fallbackModels.length === 0 ? {} : { fallbackModels: fallbackModels.map(({ value }) => value) }),
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.value }),
    ...(system === undefined ? {} : { system: system.value }),
    ...(maxTokens === undefined ? {} : { maxTokens: maxTokens.value }),
    ...(resourceTools === undefined ? {} : { resourceTools: resourceTools.value }),
    ...(wrapResults === undefined ? {} : { wrapResults: wrapResults.value }),
    limits: limitsOf(limits),
    ...(prices === undefined ? {} : { prices: pricesOf(prices) }),
    ...(audit === undefined || Object.keys(audit).length === 0 ? {} : { audit: auditOptions(audit) }),
    policy: {
      ...(flows === undefined ? {} : { flows: flows.value }),
      rules: withoutIdle(loaded.rules, resting),
      projectRules: withoutIdle(loaded.projectRules, resting),
      ...otherRules(loaded),
      trust: [...new Set(loaded.trust.map(({ value }) => value))].filter((id) => !resting.has(id)),
    },
  };
}

/** An administrator's, and those that are tried out; nobody is told that one of them names no server of this host. */
function otherRules(loaded: LoadedConfig): NonNullable<HostOptions["policy"]> {
  const { administratorRules, shadowRules, administratorShadowRules } = loaded;
  const tiers = Object.entries({ administratorRules, shadowRules, administratorShadowRules });
  return Object.fromEntries(
    tiers.flatMap(([tier, rules]) =>
      rules === undefined ? [] : [[tier, rules.map(({ value }) => value)] as const],
    ),
  );
}

/** Rules for servers that are not started would be told as mistakes, which only those for unknown servers are. */
function withoutIdle(rules: LoadedConfig["rules"], resting: ReadonlySet<string>): readonly string[] {
  const texts = rules.map(({ value }) => value);
  if (resting.size === 0) return texts;
  return parseRules(texts, "user")
    .filter(({ server }) => server.exact === null || !resting.has(server.exact))
    .map(({ text }) => text);
}

function auditOptions(audit: NonNullable<LoadedConfig["audit"]>): AuditOptions {
  return Object.fromEntries(Object.entries(audit).map(([key, { value }]) => [key, value]));
}

function pricesOf(prices: NonNullable<LoadedConfig["prices"]>): NonNullable<HostOptions["prices"]> {
  return Object.fromEntries(Object.entries(prices).map(([model, { value }]) => [model, value]));
}

function limitsOf(limits: LoadedConfig["limits"]): Partial<Limits> {
  const entries = Object.entries(limits).map(([name, setting]) => [name, setting.value] as const);
  return Object.fromEntries(entries);
}
