import { HostError } from "../errors.ts";
import type { ServerConfig } from "../types/config.ts";
import { builtinServer } from "../types/tool.ts";
import { longestTimerMs } from "../util/longest-timer.ts";
import { isObject } from "../util/own.ts";
import { compareCodeUnits } from "../util/stable-json.ts";
import { visibleLine } from "../util/visible.ts";
import { authProblem } from "./server-auth.ts";

/**
 * The servers of a config, checked and ordered by id. `slugOf` is the catalog's: two ids that become one name for
 * the model cannot be told apart.
 * @throws HostError `config_invalid`, naming the server and the key.
 */
export function checkServers(
  servers: Readonly<Record<string, ServerConfig>>,
  slugOf: (id: string) => string,
): readonly (readonly [id: string, config: ServerConfig])[] {
  const bySlug = new Map([[builtinServer, builtinServer]]);
  const entries = Object.entries(servers).sort(([a], [b]) => compareCodeUnits(a, b));
  for (const [id, config] of entries) {
    const other = bySlug.get(slugOf(id));
    if (id === builtinServer) throw invalid(id, "the id is the host's own; choose another");
    if (other !== undefined)
      throw invalid(id, `its name for the model is the same as that of "${other}"; rename one`);
    bySlug.set(slugOf(id), id);
    checkServer(id, config);
  }
  return entries;
}

/** A sentence for each trusted id that is no server's: trust is then a slip of the pen, or of a shared policy. */
export function idleTrust(trust: readonly string[], servers: readonly string[]): readonly string[] {
  const idle = trust.filter((id) => !servers.includes(id));
  return idle.map((id) => `policy.trust names "${visibleLine(id)}", which is no server of this host.`);
}

function invalid(id: string, problem: string): HostError {
  return new HostError("config_invalid", `Server "${id}": ${problem}.`);
}

function checkServer(id: string, config: unknown): void {
  if (!isObject(config)) throw invalid(id, "the config is not an object");
  const kinds = ["command", "url", "transport"].filter((key) => config[key] !== undefined);
  if (kinds.length !== 1)
    throw invalid(id, `it needs exactly one of command, url and transport, not ${kinds.length}`);
  if ("command" in config) checkStdio(id, config);
  if (config.url !== undefined) checkUrl(id, config);
  checkSettings(id, config);
}

const flags = ["required", "trust", "disabled", "sampling", "private"];

/** What every kind of server has. */
function checkSettings(id: string, config: Record<string, unknown>): void {
  const { tools, timeout, protocol, tasks, secrets, roots, drift } = config;
  const wrongFlag = flags.find((key) => !["undefined", "boolean"].includes(typeof config[key]));
  if (wrongFlag !== undefined) throw invalid(id, `${wrongFlag} is neither true nor false`);
  if (tools !== undefined && !isTextList(tools)) throw invalid(id, "tools is not a list of strings");
  if (roots !== undefined && !isTextList(roots)) throw invalid(id, "roots is not a list of paths");
  if (timeout !== undefined && !(typeof timeout === "number" && timeout >= 1 && timeout <= longestTimerMs)) {
    throw invalid(id, `timeout is not a number of milliseconds from 1 to ${longestTimerMs}`);
  }
  if (protocol !== undefined && !["auto", "modern", "legacy"].some((known) => known === protocol)) {
    throw invalid(id, "protocol is not one of auto, modern and legacy");
  }
  if (tasks !== undefined && !["auto", "always", "never"].some((known) => known === tasks)) {
    throw invalid(id, "tasks is not one of auto, always and never");
  }
  if (drift !== undefined && drift !== "ask" && drift !== "block") {
    throw invalid(id, "drift is neither ask nor block");
  }
  const isSecret = (secret: unknown) => isObject(secret) && isTextList([secret.name, secret.value]);
  if (secrets !== undefined && !(Array.isArray(secrets) && secrets.every(isSecret))) {
    throw invalid(id, "secrets is not a list of names with values");
  }
}

function checkStdio(id: string, config: Record<string, unknown>): void {
  const { command, args = [], env = {}, cwd, stderr } = config;
  if (typeof command !== "string" || command.trim() === "")
    throw invalid(id, "command is not a program's name");
  if (!isTextList(args)) throw invalid(id, "args is not a list of strings");
  if (!isTextRecord(env)) throw invalid(id, "env is not an object of strings");
  if (cwd !== undefined && typeof cwd !== "string") throw invalid(id, "cwd is not a folder's path");
  if (stderr !== undefined && (typeof stderr !== "string" || stderr === ""))
    throw invalid(id, "stderr is not a file's path");
}

function checkUrl(id: string, { url, headers, auth }: Record<string, unknown>): void {
  if (typeof url !== "string" || !URL.canParse(url)) throw invalid(id, "url is not a URL");
  if (!/^https?:$/.test(new URL(url).protocol)) throw invalid(id, "url must begin with http: or https:");
  if (headers !== undefined && !isTextRecord(headers))
    throw invalid(id, "headers is not an object of strings");
  const problem = auth === undefined ? null : authProblem(auth);
  if (problem !== null) throw invalid(id, problem);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((member) => typeof member === "string");
}
