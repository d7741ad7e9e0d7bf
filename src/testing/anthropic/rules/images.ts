import { readBase64 } from "../../../util/base64-bytes.ts";
import { type ImageHeader, readImageHeader } from "../../../util/image-header.ts";
import { isObject } from "../../../util/own.ts";
import {
  allBlocksOf,
  type DetailedRefusal,
  firstRefusal,
  type PlacedBlock,
  type Rule,
  type WireObject,
} from "./request-view.ts";

/** How the bytes of each accepted type begin. */
const signatures: Readonly<Record<string, (bytes: Uint8Array, text: string) => boolean>> = {
  "image/png": (_, text) => text.startsWith("\x89PNG\r\n\x1a\n"),
  "image/jpeg": (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff,
  "image/gif": (_, text) => text.startsWith("GIF87a") || text.startsWith("GIF89a"),
  "image/webp": (_, text) => text.startsWith("RIFF") && text.slice(8, 12) === "WEBP",
};

const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;
const mostBytes = 10 * 1024 * 1024;
const longestSide = 8000;
/** From this number of images on, each of them must be smaller. */
const manyImages = 20;
const longestSideOfMany = 2000;

/** Rule 32: an image has one of four types, and some data. */
export const imageShapes: Rule = (request) =>
  firstRefusal(images(request), ({ path, block }) => {
    const { source } = block;
    if (!isObject(source)) return `${path}.image.source: Field required`;
    if (source.type !== "base64") return null;
    const { media_type: type, data } = source;
    if (typeof type !== "string" || !Object.hasOwn(signatures, type)) {
      return (
        `${path}.image.source.base64.media_type: ` +
        "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
      );
    }
    if (typeof data !== "string") return `${path}.image.source.base64.data: Input should be a valid string`;
    if (data === "") return `${path}.image.source.base64: image cannot be empty`;
    return base64Pattern.test(data) ? null : `${path}.image.source.base64.data: Invalid base64 data`;
  });

/** Rule 32: the bytes of an image are of the type that it says. */
export const imageTypes: Rule = (request) =>
  firstRefusal(base64Images(request), ({ path, type, data }) => {
    const bytes = Buffer.from(data.slice(0, 32), "base64");
    return signatures[type]?.(bytes, bytes.toString("latin1"))
      ? null
      : `${path}.image.source.base64.data: Image does not match the provided media type ${type}`;
  });

/** Rule 32: an image has at most 10 MB as base64 text. */
export const imageSizes: Rule = (request) =>
  firstRefusal(base64Images(request), ({ path, data }) =>
    data.length > mostBytes
      ? `${path}.image.source.base64: image exceeds 10 MB maximum: ${data.length} bytes > ${mostBytes} bytes`
      : null,
  );

/** Rule 32: an image is whole: its type, its size and its pixels are there. */
export const imagesReadable: Rule = (request) =>
  firstRefusal(base64Images(request), ({ header }) => (header === null ? "Could not process image" : null));

/** Rule 32: no image is longer on a side than 8,000 pixels. */
export const imageDimensions: Rule = (request) => tooLong(request, longestSide, "");

/** Rule 32: of many images, none is longer on a side than 2,000 pixels. */
export const dimensionsOfMany: Rule = (request) =>
  images(request).length > manyImages
    ? tooLong(request, longestSideOfMany, " for many-image requests")
    : null;

/** Rule 32: a request holds 600 images at most, 100 with models of a smaller context. */
export const fewImages: Rule = (request, { model }) => {
  const count = images(request).length;
  return count > model.images ? `Too much media: 0 document pages + ${count} images > ${model.images}` : null;
};

const tokenSide = 28;
const mostTokens = 4784;

/** What an image costs: a token for every square of 28 pixels, up to the size that the API scales it down to. */
export function imageTokens(data: string): number {
  const bytes = readBase64(data);
  const header = bytes === null ? null : readImageHeader(bytes);
  if (header === null) return 0;
  return Math.min(mostTokens, Math.ceil(header.width / tokenSide) * Math.ceil(header.height / tokenSide));
}

function tooLong(request: WireObject, limit: number, when: string): DetailedRefusal | null {
  const paths = base64Images(request)
    .filter(({ header }) => header !== null && Math.max(header.width, header.height) > limit)
    .map(({ path }) => path);
  if (paths.length === 0) return null;
  return {
    message: `${paths[0]}.image.source.base64.data: At least one of the image dimensions exceed max allowed size${when}: ${limit} pixels`,
    details: {
      error_code: "image_dimensions_too_large",
      max_side_length_pixels: limit,
      paths: paths.map((path) => path.replace(".tool_result.", ".")),
    },
  };
}

function images(request: WireObject): PlacedBlock[] {
  return allBlocksOf(request).filter(({ block }) => block.type === "image");
}

/** An image that the request carries itself. */
interface Base64Image {
  readonly path: string;
  readonly type: string;
  readonly data: string;
  /** Null when it cannot be read. */
  readonly header: ImageHeader | null;
}

const found = new WeakMap<WireObject, Base64Image[]>();

/** The images of a request that are in it. Read once, for all rules. */
function base64Images(request: WireObject): Base64Image[] {
  const known = found.get(request);
  if (known !== undefined) return known;
  const read = images(request).flatMap(({ path, block: { source } }) => {
    if (!isObject(source) || source.type !== "base64") return [];
    const data = String(source.data);
    const bytes = readBase64(data);
    const header = bytes === null ? null : readImageHeader(bytes);
    return [{ path, type: String(source.media_type), data, header }];
  });
  found.set(request, read);
  return read;
}
