import { readBase64 } from "../util/base64-bytes.ts";

/** Bytes as a server sent them, made plain base64. */
export interface PlainBase64 {
  readonly base64: string;
  /** From a `data:` URI. */
  readonly mimeType?: string;
  readonly repaired: boolean;
}

const plain = /^[A-Za-z0-9+/]*={0,2}$/;
const dataType = /^\s*data:([^;,]{1,256})[;,]/i;

/** Accepts what `readBase64` does: base64url, a `data:` URI and text with line breaks too; null for anything else. */
export function plainBase64(value: unknown): PlainBase64 | null {
  if (typeof value !== "string") return null;
  if (value.length % 4 === 0 && plain.test(value)) return { base64: value, repaired: false };
  const bytes = readBase64(value);
  if (bytes === null) return null;
  const mimeType = dataType.exec(value)?.[1];
  return { base64: bytes.text, repaired: true, ...(mimeType === undefined ? {} : { mimeType }) };
}
