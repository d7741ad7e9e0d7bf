import type { ImageMediaType } from "../types/message.ts";
import type { Base64Bytes } from "./base64-bytes.ts";

/** What an image says of itself. */
export interface ImageHeader {
  readonly mediaType: ImageMediaType;
  readonly width: number;
  readonly height: number;
}

const mostPngChunks = 20_000;
const mostJpegSegments = 1_000;

const ascii = (bytes: Uint8Array) => String.fromCharCode(...bytes);
const big = (bytes: Uint8Array, at: number, size: number): number => {
  let value = 0;
  for (let index = 0; index < size; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
};
const little = (bytes: Uint8Array, at: number, size: number): number => {
  let value = 0;
  for (let index = size - 1; index >= 0; index--) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
};

/** PNG: every chunk must lie within the bytes up to IEND, because a cut file is refused by the model's API. */
function pngHeader(bytes: Base64Bytes): ImageHeader | null {
  let at = 8;
  let size: Pick<ImageHeader, "width" | "height"> | null = null;
  let pixels = false;
  for (let chunk = 0; chunk < mostPngChunks; chunk++) {
    const head = bytes.read(at, 16);
    if (head.length < 12) return null;
    const kind = ascii(head.slice(4, 8));
    if (chunk === 0) {
      if (kind !== "IHDR") return null;
      size = { width: big(head, 8, 4), height: big(head, 12, 4) };
    }
    if (kind === "IDAT") pixels = true;
    if (kind === "IEND") return size && pixels ? { mediaType: "image/png", ...size } : null;
    at += 12 + big(head, 0, 4);
  }
  return null;
}

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** JPEG: the frame header gives the size; without the scan that follows it there is no picture. */
function jpegHeader(bytes: Base64Bytes): ImageHeader | null {
  let at = 2;
  let found: ImageHeader | null = null;
  for (let segment = 0; segment < mostJpegSegments; segment++) {
    const head = bytes.read(at, 9);
    if (head.length < 4 || head[0] !== 0xff) return null;
    const marker = head[1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda) return found;
    if (isFrame(marker)) {
      if (head.length < 9) return null;
      found = { mediaType: "image/jpeg", height: big(head, 5, 2), width: big(head, 7, 2) };
    }
    at += 2 + big(head, 2, 2);
  }
  return null;
}

function gifHeader(bytes: Base64Bytes): ImageHeader | null {
  const head = bytes.read(0, 13);
  if (head.length < 13 || bytes.length < 20) return null;
  return { mediaType: "image/gif", width: little(head, 6, 2), height: little(head, 8, 2) };
}

function webpHeader(bytes: Base64Bytes): ImageHeader | null {
  const head = bytes.read(0, 30);
  if (head.length < 30 || little(head, 4, 4) + 8 > bytes.length) return null;
  const form = ascii(head.slice(12, 16));
  if (form === "VP8X") {
    return { mediaType: "image/webp", width: little(head, 24, 3) + 1, height: little(head, 27, 3) + 1 };
  }
  if (form === "VP8L" && head[20] === 0x2f) {
    const bits = little(head, 21, 4);
    return {
      mediaType: "image/webp",
      width: (bits % 16384) + 1,
      height: (Math.floor(bits / 16384) % 16384) + 1,
    };
  }
  if (form === "VP8 " && head[23] === 0x9d && head[24] === 0x01 && head[25] === 0x2a) {
    return {
      mediaType: "image/webp",
      width: little(head, 26, 2) % 16384,
      height: little(head, 28, 2) % 16384,
    };
  }
  return null;
}

/** Reads type and size from the bytes, whatever type was declared. Null when it is no whole PNG, JPEG, GIF or WebP. */
export function readImageHeader(bytes: Base64Bytes): ImageHeader | null {
  const magic = bytes.read(0, 12);
  if (big(magic, 0, 4) === 0x89504e47 && big(magic, 4, 4) === 0x0d0a1a0a) return pngHeader(bytes);
  if (magic[0] === 0xff && magic[1] === 0xd8 && magic[2] === 0xff) return jpegHeader(bytes);
  const word = ascii(magic);
  if (word.startsWith("GIF87a") || word.startsWith("GIF89a")) return gifHeader(bytes);
  if (word.startsWith("RIFF") && word.endsWith("WEBP")) return webpHeader(bytes);
  return null;
}
