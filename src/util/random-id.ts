import { bytesToHex, randomBytes } from "@noble/hashes/utils.js";

/** An unguessable id: the prefix, `_`, and 16 hex digits for each 8 random bytes. */
export function randomId(prefix: string, bytes = 8): string {
  return `${prefix}_${bytesToHex(randomBytes(bytes))}`;
}
