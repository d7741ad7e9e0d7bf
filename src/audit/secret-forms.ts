import { unicodeEscapes } from "../util/visible.ts";
import { withoutEnd } from "../util/without-end.ts";

/** Bytes of a text as base64. */
function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/**
 * The base64 characters that the value alone determines when `shift` other bytes stand before it, as in the
 * `user:password` of basic authentication.
 */
function base64Inside(bytes: Uint8Array, shift: 0 | 1 | 2): string {
  const padded = new Uint8Array(shift + bytes.length);
  padded.set(bytes, shift);
  return base64(padded).slice(Math.ceil((8 * shift) / 6), Math.floor((8 * padded.length) / 6));
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

function urlForms(value: string): string[] {
  try {
    const upper = encodeURIComponent(value);
    const strict = upper.replace(/[!'()*]/g, percent);
    // As a form is sent: an asterisk stays, a tilde does not.
    const form = upper.replace(/[!'()~]/g, percent);
    // In a path the slashes stay, and some leave all that may stand somewhere in a URL.
    const inPath = [strict.replaceAll("%2F", "/"), encodeURI(value)];
    // Nothing has to be left as it is.
    const whole = hex(new TextEncoder().encode(value)).toUpperCase().replace(/../g, "%$&");
    return [upper, strict, form, strict.replaceAll("~", "%7E"), ...inPath, whole].flatMap((form) => [
      form,
      form.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase()),
      form.replaceAll("%20", "+"),
    ]);
  } catch {
    // A lone surrogate has no URL form.
    return [];
  }
}

const beyondAscii = /[\u0080-\uffff]/g;

function insideJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Every form in which a secret is looked for: itself, inside JSON text (also of JSON text, and in ASCII alone), base64, base64url, hex and URL-encoded. */
export function secretForms(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value);
  const encoded = base64(bytes);
  const inJson = insideJson(value);
  const inAscii = inJson.replace(beyondAscii, unicodeEscapes);
  const base64Forms = [
    encoded,
    withoutEnd(encoded, "="),
    ...([0, 1, 2] as const).map((shift) => base64Inside(bytes, shift)),
  ];
  return [
    ...new Set([
      value,
      inJson,
      insideJson(inJson),
      inAscii,
      insideJson(inAscii),
      hex(bytes),
      hex(bytes).toUpperCase(),
      ...base64Forms,
      ...base64Forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
      ...urlForms(value),
    ]),
  ];
}
