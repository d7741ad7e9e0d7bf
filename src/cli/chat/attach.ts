import { open, stat } from "node:fs/promises";
import { toHostError } from "../../errors.ts";
import type { Host, RunInput } from "../../types/host.ts";
import type { ImageBlock, TextBlock } from "../../types/message.ts";
import { readBase64 } from "../../util/base64-bytes.ts";
import { readImageHeader } from "../../util/image-header.ts";
import { visibleLine } from "../../util/visible.ts";
import { addResource, readReference } from "../resource-mention.ts";
import { formatBytes } from "../terminal/units.ts";
import { typedPath } from "./editor/list-paths.ts";
import { parseMessage } from "./mentions.ts";

/** More of a text is left out. */
const mostTextBytes = 256 * 1024;
/** Larger images no model takes. */
const mostImageBytes = 5 * 1024 * 1024;
const mostFiles = 20;

/** Where the resources come from that a message names. */
export interface ResourceSource {
  readonly host: Host;
  readonly signal: AbortSignal;
}

/** A message with its files, or why it is not sent. */
export type Attached =
  | { readonly type: "input"; readonly input: RunInput; readonly added: readonly string[] }
  | { readonly type: "refused"; readonly reason: string };

type ReadMention =
  | { readonly type: "read"; readonly blocks: readonly (TextBlock | ImageBlock)[]; readonly added: string }
  | { readonly type: "refused"; readonly reason: string };

const refused = (reason: string) => ({ type: "refused", reason }) as const;

/**
 * Puts the files, and the resources of servers, that a message names behind it. A name that is neither stays a word of
 * the message; where there is a file of that name, the file is meant.
 */
export async function attachFiles(
  message: string,
  cwd: string,
  source: ResourceSource | null = null,
): Promise<Attached> {
  const { text, mentions } = await parseMessage(message, (path) => exists(typedPath(path, cwd)));
  const blocks: (TextBlock | ImageBlock)[] = [{ type: "text", text }];
  const added: string[] = [];
  let count = 0;
  for (const mention of mentions) {
    const read = await readMention(mention, cwd, source);
    if (read === null) {
      added.push(`no file ${visibleLine(mention)}: sent as it is written`);
      continue;
    }
    if (read.type === "refused") return read;
    count += 1;
    if (count > mostFiles) return refused(`A message takes at most ${mostFiles} files.`);
    blocks.push(...read.blocks);
    added.push(`added ${read.added}`);
  }
  return { type: "input", input: blocks.length === 1 ? text : blocks, added };
}

/** What a mention means; null when it means nothing. */
async function readMention(
  mention: string,
  cwd: string,
  source: ResourceSource | null,
): Promise<ReadMention | null> {
  const full = typedPath(mention, cwd);
  if (await exists(full)) {
    return readAttachment(mention, full).catch((thrown: NodeJS.ErrnoException) =>
      refused(`${visibleLine(mention)} cannot be read (${thrown.code ?? "unknown error"}).`),
    );
  }
  const ids = source?.host.status().map(({ server }) => server) ?? [];
  const reference = readReference(mention, ids);
  if (source === null || reference === null || reference.rest === "") return null;
  try {
    return { type: "read", ...(await addResource(source.host, reference, source.signal)) };
  } catch (thrown) {
    return refused(`${visibleLine(mention)} cannot be read: ${visibleLine(toHostError(thrown).message)}`);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function readAttachment(path: string, full: string): Promise<ReadMention> {
  const name = visibleLine(path);
  const file = await stat(full);
  if (file.isDirectory())
    return refused(`${name} is a folder; name a file in it, or write \\@ for a plain @.`);
  // Reading from a pipe or a device may never end.
  if (!file.isFile()) return refused(`${name} is no regular file.`);
  const bytes = await readStart(full, mostImageBytes + 1);
  const image = imageOf(bytes);
  if (image !== null) {
    if (file.size > mostImageBytes)
      return refused(`${name} is an image of ${formatBytes(file.size)}; the most is 5 MiB.`);
    return { type: "read", blocks: [image], added: `${name} (${image.mediaType}, ${bytesText(file.size)})` };
  }
  const kept = bytes.subarray(0, mostTextBytes);
  const text = textOf(kept, file.size > kept.length);
  if (text === null) return refused(`${name} is neither text in UTF-8 nor an image; it is not sent.`);
  const cut = file.size > kept.length ? `, its first ${bytesText(kept.length)}` : "";
  const block = { type: "text", text: `File ${path} (${bytesText(file.size)}${cut}):\n\n${text}` } as const;
  return { type: "read", blocks: [block], added: `${name} (${bytesText(file.size)}${cut})` };
}

const bytesText = (bytes: number) => `${bytes.toLocaleString("en-US")} bytes`;

async function readStart(path: string, most: number): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(Math.min(most, (await file.stat()).size));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}

function imageOf(bytes: Uint8Array): ImageBlock | null {
  const data = Buffer.from(bytes).toString("base64");
  const read = readBase64(data);
  const header = read === null ? null : readImageHeader(read);
  return header === null ? null : { type: "image", mediaType: header.mediaType, data };
}

/** The text, or null when it is none. `cut`: a character may be cut in two at the end, and is left out. */
function textOf(bytes: Uint8Array, cut: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}
