import { replaceShapes, secretByName, secretName } from "./secret-shapes.ts";

/** Gives the variable's text that stands for a secret: `what` it is called where it was found, and its value. */
export type StandIn = (what: string, secret: string) => string;

const jsonPairStart = /"([^"\\]{1,100})"(\s{0,20}:\s{0,20})"/g;
const escapedJsonPair = /\\"([^"\\]{1,100})\\"(\s{0,20}:\s{0,20})\\"([^"\\]*)\\"/g;
const assignedName = /(?<![A-Za-z0-9_.-])(-{0,2}[A-Za-z_][A-Za-z0-9_.-]{0,100})=/g;
const assignedValue = /"[^"]*"|'[^']*'|[^\s"';][^\s"';]*/y;
const queryPair = /([?&])([^=&#\s"']{1,200})=([^&#\s"'][^&#\s"']*)/g;
const headerPair =
  /((?<!\$)\$\{[^{}]*\})|(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9_-]{0,100})(:[ \t]{0,4}(?:(?:bearer|basic|token)[ \t]{1,4})?)([^\s"',;/][^\s"',;]*)/gi;
const urlUser = /:\/\/(?!git@)([^/?#@\s:]{1,500}|[^/?#@\s:]{0,500}:[^/?#@\s]{1,500})@/g;
const uuid = /(?<![0-9A-Za-z])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9A-Za-z])/gi;

/** The text without the secrets in it: in JSON, in assignments, queries and headers, before the host of a URL, or by their shape. */
export function withoutSecrets(text: string, stand: StandIn): string {
  const json = jsonPairs(text, stand).replace(
    escapedJsonPair,
    (whole, name: string, colon: string, value: string) =>
      secretByName(name, value) ? `\\"${name}\\"${colon}\\"${stand(name, value)}\\"` : whole,
  );
  const query = json.replace(queryPair, (whole, mark: string, name: string, value: string) =>
    secretByName(name, value) ? `${mark}${name}=${stand(name, value)}` : whole,
  );
  const headers = assignments(query, stand).replace(
    headerPair,
    (whole, variable?: string, name = "", colon = "", value = "") =>
      variable === undefined && secretByName(name, value) ? `${name}${colon}${stand(name, value)}` : whole,
  );
  const users = headers.replace(urlUser, (whole, user: string) =>
    onlyVariables(user) ? whole : `://${stand("user", user)}@`,
  );
  return replaceShapes(users, (secret) => stand("key", secret));
}

/** `"name": "value"` anywhere in a text. */
function jsonPairs(text: string, stand: StandIn): string {
  let done = "";
  let from = 0;
  for (const { 0: found, 1: name = "", index } of text.matchAll(jsonPairStart)) {
    if (index < from || !secretName(name)) continue;
    const at = index + found.length;
    const end = endOfString(text, at);
    if (end === -1 || !secretByName(name, text.slice(at, end))) continue;
    done += text.slice(from, at) + stand(name, text.slice(at, end));
    from = end;
  }
  return done + text.slice(from);
}

/** Where the JSON string that goes on at `at` has its closing quote, or -1. */
function endOfString(text: string, at: number): number {
  for (let end = at; end < text.length; end += 1) {
    if (text.charAt(end) === "\\") end += 1;
    else if (text.charAt(end) === '"') return end;
  }
  return -1;
}

/** `name=value` anywhere in a text but in a query, also where one is the value of another: `--env=TOKEN=…`. */
function assignments(text: string, stand: StandIn): string {
  let done = "";
  let from = 0;
  for (const { 0: found, 1: name = "", index } of text.matchAll(assignedName)) {
    if (index < from || /[?&]/.test(text.charAt(index - 1)) || !secretName(name)) continue;
    const at = index + found.length;
    assignedValue.lastIndex = at;
    const [value = ""] = assignedValue.exec(text) ?? [];
    if (!secretByName(name, value)) continue;
    done += text.slice(from, at) + stand(name, value);
    from = at + value.length;
  }
  return done + text.slice(from);
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
