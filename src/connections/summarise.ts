import { isDeeperThan } from "./depth.ts";

const deepest = 500;

/** A value from a server as one text of bounded length: a text as it is, anything else as JSON. */
export function summarise(value: unknown, length = 2_000): string {
  const text = typeof value === "string" ? value : toJson(value);
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
}

function toJson(value: unknown): string {
  return isDeeperThan(value, deepest) ? "(nested too deeply to show)" : (JSON.stringify(value) ?? "");
}
