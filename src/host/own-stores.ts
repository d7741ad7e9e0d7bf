import { HostError } from "../errors.ts";
import type { Stores } from "../types/stores.ts";
import { isObject } from "../util/own.ts";

const functions = ["hashKey", "openJournal", "openAudit", "close"] as const;
const objects = { spill: ["put", "get"], memo: ["get", "set", "delete"] } as const;

/**
 * The stores that a program made itself, with all that a host needs of them.
 * @throws HostError `config_invalid`
 */
export function checkStores(state: unknown): Stores {
  const missing = isObject(state) ? missingOf(state) : null;
  if (missing === undefined) return state as unknown as Stores;
  const what = missing === null ? "" : ` This one has no ${missing}.`;
  throw new HostError(
    "config_invalid",
    `\`state\` must be the path of a folder, false, or an object with the functions of \`Stores\`.${what}`,
  );
}

function missingOf(state: Record<string, unknown>): string | undefined {
  const isFunction = (of: unknown, name: string) => isObject(of) && typeof of[name] === "function";
  const ofObjects = Object.entries(objects).flatMap(([name, wanted]) =>
    wanted.filter((one) => !isFunction(state[name], one)).map((one) => `${name}.${one}`),
  );
  return [...functions.filter((name) => !isFunction(state, name)), ...ofObjects][0];
}
