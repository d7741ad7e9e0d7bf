import { resolve } from "node:path";
import type { IdentityProvider, ServerAuth } from "../../types/auth.ts";
import type { HttpServerConfig, ServerConfig, ServerSecret, StdioServerConfig } from "../../types/config.ts";
import type { VariableUse } from "../../types/settings.ts";
import { secretValues } from "../secret-values.ts";
import type { AuthEntry } from "./auth-entry.ts";
import type { SettingsDocument } from "./document.ts";
import { type Expanded, type Expansions, expand, type UsedVariable } from "./expand.ts";
import { nameOf } from "./name.ts";
import type { EntrySettings, ServerTarget, ServerText } from "./server-entry.ts";

/** A server's config before and after its variables were replaced. */
export interface ResolvedServer {
  readonly config: ServerConfig;
  readonly written: ServerConfig;
  readonly variables: readonly VariableUse[];
  readonly problem?: string;
}

type Replace = (text: ServerText) => string;

/** Replaces the variables of a server. What cannot be replaced is its problem, and nobody else's. */
export function resolveServer(
  id: string,
  document: SettingsDocument,
  target: ServerTarget,
  settings: EntrySettings,
  expansions: Expansions,
): ResolvedServer {
  const common = settingsOf(settings);
  const expanded = new Map<ServerText, Expanded>();
  const variables: VariableUse[] = [];
  let problem: string | undefined;
  const complain = ({ offset, key }: ServerText, what: string) => {
    problem ??= `${document.placeOf(offset)}: ${nameOf(["mcpServers", id])}.${key} ${what}.`;
  };
  const replace: Replace = (text) => {
    const found = expand(text.value, expansions);
    expanded.set(text, found);
    variables.push(...found.used.map(({ name, from }) => ({ name, place: text.place, from })));
    if (found.problem !== undefined) complain(text, found.problem);
    return found.text;
  };
  const config = configOf(target, common, replace, expansions.workspaceFolder);
  if (problem === undefined && "url" in config && target.type !== "stdio" && !isHttpUrl(config.url)) {
    complain(target.url, "is not an http or https URL");
  }
  return {
    config: problem === undefined ? { ...config, secrets: secretsOf(target, common, expanded) } : config,
    written: configOf(target, common, (text) => text.value, null),
    variables,
    ...(problem === undefined ? {} : { problem }),
  };
}

type CommonSettings = Omit<EntrySettings, "timeout"> & { readonly timeout?: number };

function settingsOf({ timeout, ...others }: EntrySettings): CommonSettings {
  return timeout === undefined ? others : { ...others, timeout: timeout.value };
}

/** `folder` is what a relative `cwd` is relative to; null leaves it as it was written. */
function configOf(
  target: ServerTarget,
  common: CommonSettings,
  replace: Replace,
  folder: string | null,
): StdioServerConfig | HttpServerConfig {
  const all = (texts: readonly (readonly [string, ServerText])[]) =>
    Object.fromEntries(texts.map(([name, text]) => [name, replace(text)]));
  if (target.type !== "stdio") {
    const { type, headers, auth } = target;
    return {
      type,
      url: replace(target.url),
      ...(headers.length === 0 ? {} : { headers: all(headers) }),
      ...(auth === undefined ? {} : { auth: authOf(auth, replace) }),
      ...common,
    };
  }
  const { args, env } = target;
  const command = replace(target.command);
  const cwd = target.cwd === undefined ? undefined : replace(target.cwd);
  return {
    type: "stdio",
    command,
    ...(args.length === 0 ? {} : { args: args.map(replace) }),
    ...(env.length === 0 ? {} : { env: all(env) }),
    ...(folder !== null ? { cwd: resolve(folder, cwd ?? ".") } : cwd === undefined ? {} : { cwd }),
    ...common,
  };
}

function authOf({ texts, provider, settings }: AuthEntry, replace: Replace): ServerAuth {
  const replaced = (entries: NonNullable<AuthEntry["provider"]> | AuthEntry["texts"]) =>
    Object.fromEntries(entries.map(([name, text]) => [name, replace(text)]));
  // The schema was held against it: what an identity provider must have is there.
  const identityProvider = provider && (replaced(provider) as unknown as IdentityProvider);
  return { ...settings, ...replaced(texts), ...(identityProvider && { identityProvider }) };
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Variables that every account has, whose values are no secrets: blanking them out would hide every path. */
const everyday =
  /^(?:HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|USER|USERNAME|LOGNAME|PWD|PATH|SHELL|LANG|LC_\w+|TERM|TZ|TMPDIR|TEMP|TMP|APPDATA|LOCALAPPDATA|PROGRAMDATA|HOSTNAME|COMPUTERNAME|XDG_\w+)$/i;

const isSecret = ({ name, from }: UsedVariable) => from === "environment" && !everyday.test(name);

/**
 * What must never be shown of the config: every value that came from the environment, and what looks like a secret in
 * the file itself. Defaults and folders are none.
 */
function secretsOf(
  target: ServerTarget,
  common: CommonSettings,
  expanded: ReadonlyMap<ServerText, Expanded>,
): readonly ServerSecret[] {
  const used = [...expanded.values()].flatMap((found) => found.used.filter(isSecret));
  const harmless = (text: ServerText) => {
    const found = expanded.get(text);
    return found !== undefined && found.text !== text.value && !found.used.some(isSecret);
  };
  const suspect = configOf(
    target,
    common,
    (text) => (harmless(text) && text.key !== "url" ? "" : (expanded.get(text)?.text ?? text.value)),
    null,
  );
  const looking = secretValues(suspect).map(([name, value]) => ({ name, value }));
  const found = [...looking, ...used.map(({ name, value }) => ({ name, value }))];
  const byValue = new Map(found.filter(({ value }) => value !== "").map((secret) => [secret.value, secret]));
  return [...byValue.values()];
}
