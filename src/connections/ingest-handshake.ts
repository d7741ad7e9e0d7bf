import { isObject } from "../util/own.ts";
import { repairResult, withModernMembers } from "./ingest-envelope.ts";

/** Capabilities where each member is an object: a bare `true` is read as "yes, without details". */
function repairCapabilities(capabilities: unknown): Record<string, unknown> {
  const repaired: Record<string, unknown> = {};
  if (isObject(capabilities)) {
    for (const [name, value] of Object.entries(capabilities)) {
      if (isObject(value)) repaired[name] = value;
      else if (value === true) repaired[name] = {};
    }
  }
  for (const name of ["tools", "prompts", "resources"]) {
    const value = repaired[name];
    if (isObject(value)) repaired[name] = withBooleans(value, ["listChanged", "subscribe"]);
  }
  // Some servers have tools and forget to say so: they are asked, and their "method not found" means none.
  repaired.tools ??= {};
  return repaired;
}

function withBooleans(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const copy = { ...value };
  for (const name of names) {
    if (copy[name] !== undefined && typeof copy[name] !== "boolean") delete copy[name];
  }
  return copy;
}

function repairServerInfo(serverInfo: unknown): Record<string, unknown> {
  const given = isObject(serverInfo) ? serverInfo : {};
  return {
    name: typeof given.name === "string" ? given.name : "unknown",
    version: typeof given.version === "string" ? given.version : "0",
  };
}

/** An `initialize` result that the SDK accepts, with everything the server said that can be used. */
export function repairInitialize(result: unknown): Record<string, unknown> {
  const repaired = repairResult(result);
  repaired.capabilities = repairCapabilities(repaired.capabilities);
  repaired.serverInfo = repairServerInfo(repaired.serverInfo);
  if (typeof repaired.instructions !== "string") delete repaired.instructions;
  return repaired;
}

/** A `server/discover` result that the SDK accepts (MCP 2026-07-28). */
export function repairDiscover(result: unknown): Record<string, unknown> {
  const repaired = withModernMembers(repairResult(result));
  repaired.capabilities = repairCapabilities(repaired.capabilities);
  repaired.supportedVersions = Array.isArray(repaired.supportedVersions)
    ? repaired.supportedVersions.filter((version) => typeof version === "string")
    : [];
  if (typeof repaired.instructions !== "string") delete repaired.instructions;
  return repaired;
}
