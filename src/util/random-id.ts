import { bytesToHex, randomBytes } from "@noble/hashes/utils.js";

/** An unguessable id: the prefix, `_`, and 16 hex digits for each 8 random bytes. */
export function randomId(prefix: string, bytes = 8): string {
  return `${prefix}_${randomHex(bytes)}`;
}

/** As many random bytes as hex digits, two a byte. */
export function randomHex(bytes: number): string {
  return bytesToHex(randomBytes(bytes));
}
