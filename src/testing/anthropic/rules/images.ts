import { isObject } from "../../../util/own.ts";
import { allBlocksOf, firstRefusal, type Rule } from "./request-view.ts";

/** How the bytes of each accepted type begin. */
const signatures: Readonly<Record<string, (bytes: Uint8Array, text: string) => boolean>> = {
  "image/png": (_, text) => text.startsWith("\x89PNG\r\n\x1a\n"),
  "image/jpeg": (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff,
  "image/gif": (_, text) => text.startsWith("GIF87a") || text.startsWith("GIF89a"),
  "image/webp": (_, text) => text.startsWith("RIFF") && text.slice(8, 12) === "WEBP",
};

const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;

/** Rule 32: an image has one of four types, its bytes are of that type, and there are some. */
export const images: Rule = (request) =>
  firstRefusal(allBlocksOf(request), ({ path, block }) => {
    if (block.type !== "image") return null;
    const { source } = block;
    if (!isObject(source)) return `${path}.image.source: Field required`;
    if (source.type !== "base64") return null;
    const { media_type: type, data } = source;
    const matches =
      typeof type === "string" && Object.hasOwn(signatures, type) ? signatures[type] : undefined;
    if (matches === undefined) {
      return (
        `${path}.image.source.base64.media_type: ` +
        "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
      );
    }
    if (typeof data !== "string") return `${path}.image.source.base64.data: Input should be a valid string`;
    if (data === "") return `${path}.image.source.base64: image cannot be empty`;
    if (!base64Pattern.test(data)) return `${path}.image.source.base64.data: Invalid base64 data`;
    const bytes = Buffer.from(data.slice(0, 32), "base64");
    return matches(bytes, bytes.toString("latin1"))
      ? null
      : `${path}.image.source.base64.data: Image does not match the provided media type ${type}`;
  });
