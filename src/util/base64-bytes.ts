/** Bytes behind base64 text, read where they are needed: a large image is never decoded whole. */
export interface Base64Bytes {
  /** Plain, padded base64. */
  readonly text: string;
  readonly length: number;
  /** Up to `size` bytes from `offset`; fewer at the end. */
  read(offset: number, size: number): Uint8Array;
}

/** The same as `\s+`, for which V8 may throw a RangeError where there are millions of them. */
const space = /\s\s*/g;

/**
 * Reads base64 as servers write it: with a `data:` prefix, white space, the URL alphabet or no padding. Null when it
 * is none.
 */
export function readBase64(written: string): Base64Bytes | null {
  const prefix = /^\s*data:[^,]{0,256};base64,/i.exec(written)?.[0].length ?? 0;
  let text = prefix === 0 ? written : written.slice(prefix);
  if (/\s/.test(text)) text = text.replace(space, "");
  if (/[-_]/.test(text)) text = text.replace(/-/g, "+").replace(/_/g, "/");
  const digits = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || digits % 4 === 1) return null;
  const padded = text.slice(0, digits) + "=".repeat((4 - (digits % 4)) % 4);
  const length = Math.floor((digits * 3) / 4);
  return {
    text: padded,
    length,
    read(offset, size) {
      const first = Math.floor(offset / 3);
      const end = Math.min(offset + size, length);
      if (offset >= end) return new Uint8Array(0);
      const decoded = atob(padded.slice(first * 4, Math.ceil(end / 3) * 4));
      const skip = offset - first * 3;
      const bytes = new Uint8Array(end - offset);
      for (let index = 0; index < bytes.length; index++) bytes[index] = decoded.charCodeAt(index + skip);
      return bytes;
    },
  };
}

/** The bytes as UTF-8 text, or null when they are none. */
export function textOf(bytes: Base64Bytes): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.read(0, bytes.length));
  } catch {
    return null;
  }
}
