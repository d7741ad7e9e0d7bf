import type { ImageBlock } from "../types/message.ts";
import { type Base64Bytes, readBase64 } from "../util/base64-bytes.ts";
import { readImageHeader } from "../util/image-header.ts";
import { count, oneLine } from "../util/one-line.ts";

/** Anthropic refuses images that are longer on a side, and Bedrock and Vertex images with more bytes. */
const mostPixelsPerSide = 8_000;
const mostImageBytes = 5 * 1024 * 1024;
/** Anthropic's price of a picture is one token for each 28x28 pixels, up to this. */
const mostImageTokens = 4_784;

/** A picture that every model API with vision takes, or the reason why not. */
export type ReadImage =
  | { readonly type: "image"; readonly image: ImageBlock; readonly tokens: number; readonly label: string }
  | { readonly type: "refused"; readonly reason: string; readonly bytes: Base64Bytes | null };

/** Checks a picture by its bytes; the declared type only serves to name it when it cannot be shown. */
export function readImage(written: string, declared: string): ReadImage {
  const bytes = readBase64(written);
  const name = oneLine(declared, 100) || "image";
  const refused = (reason: string): ReadImage => ({ type: "refused", reason: `${name}: ${reason}`, bytes });
  if (bytes === null) return refused("its data is not base64");
  if (bytes.length === 0) return refused("it has no data");
  const header = readImageHeader(bytes);
  if (header === null) return refused("it is no readable PNG, JPEG, GIF or WebP");
  const { width, height, mediaType } = header;
  if (width === 0 || height === 0) return refused("it has no pixels");
  if (width > mostPixelsPerSide || height > mostPixelsPerSide) {
    return refused(`${width}x${height} pixels is more than ${count(mostPixelsPerSide)} on a side`);
  }
  if (bytes.length > mostImageBytes) {
    return refused(`${count(bytes.length)} bytes is more than ${count(mostImageBytes)}`);
  }
  return {
    type: "image",
    image: { type: "image", mediaType, data: bytes.text },
    tokens: Math.min(mostImageTokens, Math.ceil(width / 28) * Math.ceil(height / 28)),
    label: `${mediaType}, ${width}x${height} pixels, ${count(bytes.length)} bytes`,
  };
}
