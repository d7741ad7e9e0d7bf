import type { Json } from "./json.ts";

/**
 * What servers offered when they were last used, by a key of 64 hex digits that stands for the server and whoever uses
 * it. Losing it only costs time.
 */
export interface KnownLists {
  /** Undefined for none, and for what is damaged. */
  read(key: string): Promise<Json | undefined>;
  /** Takes a value to keep, or `undefined` to remove it; the writing happens soon. */
  write(key: string, value: Json | undefined): void;
}
