import type { ServerBlock } from "../types/outcome.ts";
import { type Base64Bytes, readBase64, textOf } from "../util/base64-bytes.ts";
import { count, oneLine } from "../util/one-line.ts";
import type { KeepAside } from "./aside.ts";
import { readImage } from "./image.ts";
import { type Piece, textPiece } from "./piece.ts";

/** A block as pieces, and how many bytes of it were kept aside. */
export interface BlockPieces {
  readonly pieces: readonly Piece[];
  readonly asideBytes: number;
}

type Of<K extends ServerBlock["type"]> = Extract<ServerBlock, { type: K }>;

const mostNameCharacters = 300;
const mostUriCharacters = 2_000;
const mostDescriptionCharacters = 1_000;

/** Bytes that no model can use: a line that says what they are, and their base64 aside. */
async function describeBytes(what: string, bytes: Base64Bytes | null, keep: KeepAside): Promise<BlockPieces> {
  if (bytes === null || bytes.length === 0) return { pieces: [textPiece(`[${what}]`)], asideBytes: 0 };
  const kept = await keep(bytes.text, 1);
  return { pieces: [textPiece(`[${what}. Its base64 ${kept}]`)], asideBytes: bytes.text.length };
}

async function imagePieces(block: Of<"image">, keep: KeepAside): Promise<BlockPieces> {
  const read = readImage(block.data, block.mimeType);
  if (read.type === "image") return { pieces: [read], asideBytes: 0 };
  return describeBytes(`Image left out: ${read.reason}`, read.bytes, keep);
}

async function binaryPieces(
  kind: string,
  mimeType: string,
  data: string,
  keep: KeepAside,
): Promise<BlockPieces> {
  const bytes = readBase64(data);
  const size = bytes === null ? "not readable as base64" : `${count(bytes.length)} bytes`;
  return describeBytes(`${kind}: ${oneLine(mimeType, 100) || "unknown type"}, ${size}`, bytes, keep);
}

/** One line; the link is never followed, because it may point into the network of the host. */
function linkLine(link: Of<"resource_link">): string {
  const name = oneLine(link.title || link.name || "", mostNameCharacters);
  const about = [
    link.mimeType ? oneLine(link.mimeType, 100) : "",
    link.size === undefined ? "" : `${count(link.size)} bytes`,
  ].filter((part) => part !== "");
  const parts = ["Resource link:", name, about.length > 0 ? `(${about.join(", ")})` : ""];
  const description = oneLine(link.description ?? "", mostDescriptionCharacters);
  return [...parts, oneLine(link.uri, mostUriCharacters), description === "" ? "" : `: ${description}`]
    .filter((part) => part !== "")
    .join(" ")
    .replace(" : ", ": ");
}

/** Types whose bytes are text, though the server sent them as base64. */
const isTextType = (mimeType: string): boolean =>
  /^text\/|^application\/(?:.*\+)?(?:json|xml|yaml|javascript)\b/i.test(mimeType.slice(0, 100));

async function resourcePieces(block: Of<"resource">, keep: KeepAside): Promise<BlockPieces> {
  const uri = oneLine(block.uri, mostUriCharacters);
  const type = block.mimeType ? ` (${oneLine(block.mimeType, 100)})` : "";
  if (block.text !== undefined) {
    return { pieces: [textPiece(`Resource ${uri}${type}:\n${block.text}`)], asideBytes: 0 };
  }
  if (block.blob === undefined)
    return { pieces: [textPiece(`Resource ${uri}${type}: empty`)], asideBytes: 0 };
  const picture = readImage(block.blob, block.mimeType ?? "");
  if (picture.type === "image") {
    return { pieces: [textPiece(`Resource ${uri} (${picture.label}):`), picture], asideBytes: 0 };
  }
  const bytes = isTextType(block.mimeType ?? "") ? readBase64(block.blob) : null;
  const text = bytes === null ? null : textOf(bytes);
  if (text !== null) return { pieces: [textPiece(`Resource ${uri}${type}:\n${text}`)], asideBytes: 0 };
  return binaryPieces(`Resource ${uri}`, block.mimeType ?? "", block.blob, keep);
}

/** Long runs of base64 characters cut short: they cost tokens and tell nothing. */
const withoutBase64 = (summary: string): string =>
  summary.replace(/[\w+/=-]{100,}/g, (run) => `${run.slice(0, 20)}… (${count(run.length)} characters)`);

/** Everything but text: what the model can use of a block, or a description of it. */
export async function blockPieces(
  block: Exclude<ServerBlock, { type: "text" }>,
  keep: KeepAside,
): Promise<BlockPieces> {
  switch (block.type) {
    case "image":
      return imagePieces(block, keep);
    case "audio":
      return binaryPieces("Audio", block.mimeType, block.data, keep);
    case "resource_link":
      return { pieces: [textPiece(linkLine(block))], asideBytes: 0 };
    case "resource":
      return resourcePieces(block, keep);
    case "unknown": {
      const what = oneLine(block.kind, 100);
      const summary = oneLine(withoutBase64(block.summary), mostDescriptionCharacters);
      return {
        pieces: [textPiece(`[Content of an unknown kind ${JSON.stringify(what)}: ${summary}]`)],
        asideBytes: 0,
      };
    }
  }
}
