import type { ServerAuth } from "../types/auth.ts";
import type { ServerConfig } from "../types/config.ts";

const secretName = /key|token|secret|passw|auth(?!ors?\b)|credential|cookie/i;

/**
 * Values in a server's config that must never be shown, each with the name it is known by: the config's own word, else
 * what looks like a secret.
 */
export function secretValues(config: ServerConfig): readonly (readonly [name: string, value: string])[] {
  if (config.secrets !== undefined) return config.secrets.map(({ name, value }) => [name, value]);
  if ("transport" in config) return [];
  if ("url" in config)
    return [
      ...Object.entries(config.headers ?? {}).flatMap(headerSecrets),
      ...urlSecrets(config.url),
      ...authSecrets(config.auth),
    ];
  return [...Object.entries(config.env ?? {}), ...argumentSecrets(config.args ?? [])];
}

/** The whole value, and what follows the scheme word of an Authorization header. */
function headerSecrets([name, value]: readonly [string, string]): [string, string][] {
  const credential = /^\w+ +(\S.*)$/.exec(value)?.[1];
  return credential === undefined
    ? [[name, value]]
    : [
        [name, value],
        [name, credential],
      ];
}

function authSecrets(auth: ServerAuth = {}): [string, string][] {
  const { clientSecret, privateKey, assertion, identityProvider } = auth;
  const found: [string, string | undefined][] = [
    ["auth.clientSecret", clientSecret],
    ["auth.privateKey", privateKey],
    ["auth.assertion", assertion],
    ["auth.identityProvider.clientSecret", identityProvider?.clientSecret],
    ["auth.identityProvider.idToken", identityProvider?.idToken],
  ];
  return found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

function urlSecrets(url: string): [string, string][] {
  const { username, password, searchParams } = new URL(url);
  const user: [string, string][] = [
    ["url user", username],
    ["url password", password],
  ];
  return [...user, ...searchParams].filter(([, value]) => value !== "");
}

/** `NAME=value`, `--name=value` and `--name value` where the name speaks of a secret. */
function argumentSecrets(args: readonly string[]): [string, string][] {
  return args.flatMap((argument, index): [string, string][] => {
    const at = argument.indexOf("=");
    const name = argument.slice(0, Math.max(at, 0));
    if (at > 0 && secretName.test(name)) return [[name, argument.slice(at + 1)]];
    const before = args[index - 1] ?? "";
    const named = before.startsWith("-") && !before.includes("=") && secretName.test(before);
    return named && !argument.startsWith("-") ? [[before, argument]] : [];
  });
}
