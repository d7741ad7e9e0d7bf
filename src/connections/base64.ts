/** Bytes as a server sent them, made plain base64. */
export interface ReadBase64 {
  readonly base64: string;
  /** From a `data:` URI. */
  readonly mimeType?: string;
  readonly repaired: boolean;
}

const plain = /^[A-Za-z0-9+/]*={0,2}$/;
/** The same as `\s+`, for which V8 may throw a RangeError where there are millions of them. */
const space = /\s\s*/g;

/** Accepts base64, base64url, a `data:` URI and text with line breaks; null for anything else. */
export function readBase64(value: unknown): ReadBase64 | null {
  if (typeof value !== "string") return null;
  if (value.length % 4 === 0 && plain.test(value)) return { base64: value, repaired: false };
  const uri = readDataUri(value);
  const text = (uri?.text ?? value).replace(space, "").replaceAll("-", "+").replaceAll("_", "/");
  const unpadded = text.replace(/={1,2}$/, "");
  if (!plain.test(unpadded) || unpadded.includes("=") || unpadded.length % 4 === 1) return null;
  const base64 = unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, "=");
  return { base64, repaired: true, ...(uri?.mimeType ? { mimeType: uri.mimeType } : {}) };
}

function readDataUri(value: string): { mimeType: string; text: string } | null {
  if (!value.startsWith("data:")) return null;
  const comma = value.indexOf(",");
  const head = value.slice(5, comma);
  if (comma < 0 || !head.endsWith(";base64")) return null;
  return { mimeType: head.split(";", 1)[0] ?? "", text: value.slice(comma + 1) };
}
