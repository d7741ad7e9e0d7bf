import { isObject, own } from "../../util/own.ts";
import type { RawServer } from "./raw-server.ts";

/** A member of what may be an object: never one of the prototype. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (isObject(inner) ? own(inner, key) : undefined), value);
}

/** The members of what may be an object. */
export function members(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** The texts in what may be a list. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** Keys that every host has, or that say nothing of how a server is started. */
const silent = new Set(
  "type transport enabled disabled description name display_name title icon gallery version source bundled".split(
    " ",
  ),
);

const permissions =
  "What its tools may do without a question is not carried over: Drawbridge asks, or give rules of your own.";
const signIn = "Its settings for signing in (OAuth) are not carried over.";
const startUp = "Its time to start is not carried over: limits.serverStartMs is the same for all servers.";

/** Why a known key is not carried over. */
const reasons: ReadonlyMap<string, string> = new Map([
  ...["trust", "autoApprove", "alwaysAllow", "autoApproveTools", "default_tools_approval_mode"].map(
    (key): [string, string] => [key, permissions],
  ),
  ...[
    "auth",
    "oauth",
    "scopes",
    "oauth_resource",
    "authProviderType",
    "targetAudience",
    "targetServiceAccount",
  ].map((key): [string, string] => [key, signIn]),
  ...["startup_timeout_sec", "startup_timeout_ms"].map((key): [string, string] => [key, startUp]),
  [
    "headersHelper",
    "The command that makes its headers is not carried over: write them as headers with variables.",
  ],
  ["dev", "Its settings for development are not carried over."],
  ["sandbox", "Its sandbox is not carried over: the server runs as you."],
  ["sandboxEnabled", "Its sandbox is not carried over: the server runs as you."],
  ["settings", "Its settings for the extension are not carried over."],
]);

/** A sentence for each key that stays behind; `carried` are those that the reader takes. */
function leftBehind(entry: Readonly<Record<string, unknown>>, carried: readonly string[]): string[] {
  const known = Object.keys(entry).filter((key) => !carried.includes(key) && !silent.has(key));
  const unknown = known.filter((key) => !reasons.has(key) && key !== "envFile");
  return [
    ...new Set(known.flatMap((key) => reasons.get(key) ?? [])),
    ...envFileNote(own(entry, "envFile")),
    ...(unknown.length === 0
      ? []
      : [`Left out, because Drawbridge has no such setting: ${unknown.join(", ")}.`]),
  ];
}

function envFileNote(file: unknown): string[] {
  if (typeof file !== "string") return [];
  return [
    `Its envFile is not read: set the variables of ${file} in your environment and name them in "env".`,
  ];
}

/** An entry as an object with the notes on what stays behind, or a server that cannot be imported. */
export function readEntry(
  id: string,
  entry: unknown,
  carried: readonly string[],
  build: (
    entry: Readonly<Record<string, unknown>>,
  ) => Omit<RawServer, "id" | "notes"> & Partial<Pick<RawServer, "notes">>,
): RawServer {
  if (!isObject(entry)) return { id, notes: [], blocked: "Its entry is not an object." };
  const built = build(entry);
  return { ...built, id, notes: [...(built.notes ?? []), ...leftBehind(entry, carried)] };
}
