import { replaceShapes, secretByName } from "./secret-shapes.ts";

/** Gives the variable's text that stands for a secret: `what` it is called where it was found, and its value. */
export type StandIn = (what: string, secret: string) => string;

const jsonPair = /"([^"\\]{1,100})"(\s{0,20}:\s{0,20})"((?:[^"\\]|\\.)*)"/g;
const escapedJsonPair = /\\"([^"\\]{1,100})\\"(\s{0,20}:\s{0,20})\\"([^"\\]*)\\"/g;
const assignment =
  /(?<![A-Za-z0-9_.-])(-{0,2}[A-Za-z_][A-Za-z0-9_.-]{0,100})=("[^"]*"|'[^']*'|\$\{[^{}]*\}[^\s"'&;]*|[^\s"'&;]+)/g;
const urlUser = /:\/\/(?!git@)([^/?#@\s:]{1,500}|[^/?#@\s:]{0,500}:[^/?#@\s]{1,500})@/g;
const uuid = /(?<![0-9A-Za-z])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9A-Za-z])/gi;

/** The text without the secrets in it: in JSON, in assignments and queries, before the host of a URL, or by their shape. */
export function withoutSecrets(text: string, stand: StandIn): string {
  const json = text
    .replace(jsonPair, (whole, name: string, colon: string, value: string) =>
      secretByName(name, value) ? `"${name}"${colon}"${stand(name, value)}"` : whole,
    )
    .replace(escapedJsonPair, (whole, name: string, colon: string, value: string) =>
      secretByName(name, value) ? `\\"${name}\\"${colon}\\"${stand(name, value)}\\"` : whole,
    );
  const users = assignments(json, stand, 3).replace(urlUser, (whole, user: string) =>
    onlyVariables(user) ? whole : `://${stand("user", user)}@`,
  );
  return replaceShapes(users, (secret) => stand("key", secret));
}

/** `name=value` anywhere in a text; a value may be another one, as in `--env=TOKEN=…`. */
function assignments(text: string, stand: StandIn, depth: number): string {
  return text.replace(assignment, (whole, name: string, value: string) => {
    if (secretByName(name, value)) return `${name}=${stand(name, value)}`;
    return depth > 0 && value.includes("=") ? `${name}=${assignments(value, stand, depth - 1)}` : whole;
  });
}

/** The same for a URL, where the random part of a path is often all that protects it. */
export function urlWithoutSecrets(url: string, stand: StandIn): string {
  return withoutSecrets(url, stand).replace(uuid, (found) => stand("key", found));
}

/** `${USER}:${PASSWORD}`, or a name with a variable for its password. */
function onlyVariables(user: string): boolean {
  return /^[^:]*:?(?:\$\{[^{}]*\})?$/.test(user) && user.includes("${");
}

/** Whether there is any secret in the value of a name, such as an environment variable's. */
export function holdsSecret(name: string, value: string): boolean {
  if (secretByName(name, value)) return true;
  let found = false;
  withoutSecrets(value, () => {
    found = true;
    return "";
  });
  return found;
}
