import { sha256Hex } from "../util/hash.ts";

/** Longest name that every model API accepts. */
const aliasLength = 64;
const slugLength = 24;

const plainSlug = /^[A-Za-z][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)*$/;
const plainTool = /^[A-Za-z0-9_-]+$/;
const endsLikeHash = /_[0-9a-f]{10}$/;

/**
 * A server id made safe for names: the id itself when it is plain and short, else its safe characters and 6 hex
 * digits of its sha-256. It never holds `__`, so the first `__` of an alias ends it.
 */
export function slugOf(server: string): string {
  if (server.length <= slugLength && plainSlug.test(server)) return server;
  const safe = server.replace(/[^A-Za-z0-9-]+/g, "-").replace(/^[^A-Za-z]+/, "");
  const start = safe === "" ? "s" : safe.slice(0, slugLength - 7);
  return `${start}-${sha256Hex(server).slice(0, 6)}`;
}

/**
 * The name the model sees for a tool of a server: at most 64 of `[A-Za-z0-9_-]`. A pure function of the pair, so it
 * depends on no other server and on no order, and it is never parsed back: calls are routed by the snapshot's map.
 */
export function aliasOf(server: string, tool: string): string {
  const slug = slugOf(server);
  const plain = `${slug}__${tool}`;
  if (plain.length <= aliasLength && plainTool.test(tool) && !endsLikeHash.test(tool)) return plain;
  const hash = sha256Hex(JSON.stringify([server, tool])).slice(0, 10);
  const room = aliasLength - slug.length - "__".length - "_".length - hash.length;
  const safe = tool.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, room);
  return `${slug}__${safe}_${hash}`;
}
