import type { Limits, ServerConfig } from "../../types/config.ts";
import type { ConfiguredServer, LoadedConfig, Setting, SettingOrigin } from "../../types/settings.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { trustCommand } from "../settings/server-lines.ts";
import { hiddenValue, originText, shownArguments, shownUrl, targetText } from "../settings/written.ts";
import { loadSettings } from "../settings.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface ConfigCommand {
  readonly flags: HostFlags;
  readonly json: boolean;
}

/** Prints what the config files and the options say together, with the origin of every value; secrets are hidden. */
export async function showConfig({ flags, json }: ConfigCommand, terminal: Terminal): Promise<number> {
  const library = await import("../../index.ts");
  const loaded = await loadSettings(flags, library, terminal);
  const lines = json
    ? [visibleLine(JSON.stringify(configJson(loaded, library)))]
    : configLines(loaded, library, paintFor(process.stdout));
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return exitCodes.answered;
}

type Library = Pick<typeof import("../../index.ts"), "defaultLimits" | "holdsSecret">;
type HoldsSecret = Library["holdsSecret"];

/** A line of a table: what, its value, where it was written. */
type Row = readonly [label: string, value: string, origin: string];

/** The whole as text, escaped. */
export function configLines(
  loaded: LoadedConfig,
  { defaultLimits: defaults, holdsSecret }: Library,
  paint: Paint,
): string[] {
  return [
    paint("bold", "Files, the last wins"),
    ...loaded.files.map(({ path, scope, found }) => {
      const line = `  ${visibleLine(path)} (${scope})`;
      return found ? line : paint("dim", `${line}: not there`);
    }),
    "",
    paint("bold", "Settings"),
    ...tableLines(settingRows(loaded), paint),
    "",
    paint("bold", "Servers"),
    ...(loaded.servers.length === 0 ? [paint("dim", "  none")] : []),
    ...loaded.servers.flatMap((server) => serverText(server, paint, holdsSecret)),
    "",
    paint("bold", "Limits"),
    ...tableLines(limitRows(loaded, defaults), paint),
  ];
}

function tableLines(rows: readonly Row[], paint: Paint): string[] {
  const labels = Math.max(0, ...rows.map(([label]) => label.length));
  return rows.map(([label, value, origin]) => {
    const line = `  ${label.padEnd(labels)}  ${value}`;
    return origin === "default" ? paint("dim", `${line}  (default)`) : `${line}  ${paint("dim", origin)}`;
  });
}

function row(label: string, setting: Setting<string | number | boolean> | undefined, otherwise: string): Row {
  if (setting === undefined) return [label, otherwise, "default"];
  return [label, visibleLine(String(setting.value)), originText(setting.origin)];
}

function settingRows(loaded: LoadedConfig): Row[] {
  return [
    row("model", loaded.model, "Claude with a key, else offline"),
    ...(loaded.fallbackModels ?? []).map((name) => row("fallback model", name, "")),
    row("baseUrl", loaded.baseUrl, "the API's own"),
    row("system", loaded.system, "none"),
    row("maxTokens", loaded.maxTokens, "16000"),
    row("resourceTools", loaded.resourceTools, "false"),
    row("wrapResults", loaded.wrapResults, "false"),
    row("policy.flows", loaded.flows, "ask"),
    ...(loaded.administratorRules ?? []).map((rule) => row("administrator rule", rule, "")),
    ...loaded.rules.map((rule) => row("rule", rule, "")),
    ...loaded.projectRules.map((rule) => row("project rule", rule, "")),
    ...(loaded.administratorShadowRules ?? []).map((rule) => row("administrator shadow rule", rule, "")),
    ...(loaded.shadowRules ?? []).map((rule) => row("shadow rule", rule, "")),
    ...(loaded.drift === undefined ? [] : [row("drift", loaded.drift, "")]),
    ...loaded.trust.map((id) => row("trust", id, "")),
    ...Object.entries(loaded.audit ?? {}).map(([key, setting]) => row(`audit.${key}`, setting, "")),
    ...Object.entries(loaded.prices ?? {}).map(([model, { value, origin }]): Row => {
      const text = `$${value.input} in, $${value.output} out, a million tokens`;
      return [`price of ${visibleLine(model)}`, text, originText(origin)];
    }),
  ];
}

function limitRows({ limits }: LoadedConfig, defaults: Limits): Row[] {
  const set = new Map<string, Setting<number> | undefined>(Object.entries(limits));
  return Object.entries(defaults).map(([name, value]) => row(name, set.get(name), String(value)));
}

/** How a server stands, in a word or two. */
function stateText(server: ConfiguredServer): string {
  if (server.disabled) return "disabled";
  if (server.problem !== undefined) return "cannot be started";
  return server.pending ? "pending" : "";
}

function serverText(server: ConfiguredServer, paint: Paint, holdsSecret: HoldsSecret): string[] {
  const state = stateText(server);
  const head = `  ${visibleLine(JSON.stringify(server.id))}  ${paint("dim", originText(server.origin))}`;
  const advice = server.pending && !server.disabled ? [`    to start it: ${trustCommand(server.id)}`] : [];
  const problem = server.problem === undefined ? [] : [paint("red", `    ${visibleLine(server.problem)}`)];
  return [
    state === "" ? head : `${head}  ${paint("yellow", state)}`,
    ...writtenRows(server, holdsSecret).map(([label, text]) => `    ${paint("dim", label)} ${text}`),
    ...problem,
    ...advice,
  ];
}

function writtenRows(
  { written, config, variables }: ConfiguredServer,
  holdsSecret: HoldsSecret,
): [string, string][] {
  const shown = (name: string, value: string) =>
    holdsSecret(name, value) ? hiddenValue(value) : visibleLine(value);
  const rows: [string, string][] = [];
  if ("command" in written) {
    rows.push(["command", targetText({ ...written, args: shownArguments(written.args ?? []) })]);
    if ("command" in config && config.cwd !== undefined) rows.push(["cwd", visibleLine(config.cwd)]);
    for (const [name, value] of Object.entries(written.env ?? {}))
      rows.push(["env", `${visibleLine(name)}=${shown(name, value)}`]);
  } else if ("url" in written) {
    rows.push(["url", visibleLine(shownUrl(written.url))]);
    for (const [name, value] of Object.entries(written.headers ?? {}))
      rows.push(["header", `${visibleLine(name)}: ${shown(name, value)}`]);
    if (written.auth !== undefined) rows.push(["auth", visibleLine(JSON.stringify(written.auth))]);
  }
  for (const name of ["required", "trust", "protocol", "timeout", "tools"] as const) {
    const value = written[name];
    if (value !== undefined) rows.push([name, visibleLine(JSON.stringify(value))]);
  }
  for (const { name, place, from } of variables)
    rows.push(["variable", `${visibleLine(name)} in ${visibleLine(place)}, from its ${from}`]);
  return rows;
}

interface ShownSetting {
  readonly value: string | number;
  readonly origin: SettingOrigin;
}

/** The same as plain JSON. */
function configJson(loaded: LoadedConfig, { defaultLimits: defaults, holdsSecret }: Library): object {
  const set = new Map<string, Setting<number> | undefined>(Object.entries(loaded.limits));
  const origin: SettingOrigin = { type: "default" };
  const limits = Object.entries(defaults).map(([name, value]): [string, ShownSetting] => [
    name,
    set.get(name) ?? { value, origin },
  ]);
  return {
    files: loaded.files,
    model: loaded.model ?? null,
    fallbackModels: loaded.fallbackModels ?? [],
    baseUrl: loaded.baseUrl ?? null,
    system: loaded.system ?? null,
    maxTokens: loaded.maxTokens ?? null,
    resourceTools: loaded.resourceTools ?? null,
    wrapResults: loaded.wrapResults ?? null,
    flows: loaded.flows ?? null,
    administratorRules: loaded.administratorRules ?? [],
    rules: loaded.rules,
    projectRules: loaded.projectRules,
    administratorShadowRules: loaded.administratorShadowRules ?? null,
    shadowRules: loaded.shadowRules ?? null,
    drift: loaded.drift ?? null,
    trust: loaded.trust,
    prices: loaded.prices ?? {},
    audit: loaded.audit ?? {},
    servers: loaded.servers.map(({ id, written, variables, origin, disabled, pending, problem }) => ({
      id,
      origin,
      disabled,
      pending,
      ...(problem === undefined ? {} : { problem }),
      config: hiddenConfig(written, holdsSecret),
      variables,
    })),
    limits: Object.fromEntries(limits),
    warnings: loaded.warnings,
  };
}

/** The config as it is written, with the values that were written out in it hidden. */
function hiddenConfig(written: ServerConfig, holdsSecret: HoldsSecret): object {
  const hide = (values: Readonly<Record<string, string>> | undefined) =>
    Object.fromEntries(
      Object.entries(values ?? {}).map(([name, value]) => [
        name,
        holdsSecret(name, value) ? hiddenValue(value) : value,
      ]),
    );
  if ("command" in written) {
    return {
      ...written,
      args: shownArguments(written.args ?? []),
      env: hide(written.env),
      secrets: undefined,
    };
  }
  if ("url" in written) {
    return { ...written, url: shownUrl(written.url), headers: hide(written.headers), secrets: undefined };
  }
  return {};
}
