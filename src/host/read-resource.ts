import type { ServerOffers } from "../types/offers.ts";
import type { ResourceContents, ResourceReading } from "../types/resource.ts";
import { utf8Length } from "../util/utf8.ts";
import { withoutEnd } from "../util/without-end.ts";
import type { HostParts } from "./parts.ts";
import { noteBrought, performRead } from "./perform-read.ts";
import { defaultReadTokens, mapReplies } from "./read-blocks.ts";

/** Reads a resource for a person. Rejects as `Host.readResource` says. */
export async function readResource(
  parts: HostParts,
  { server, offers }: { readonly server: string; readonly offers: ServerOffers },
  uri: string,
  { signal, outputTokens = defaultReadTokens }: { signal: AbortSignal; outputTokens?: number | undefined },
): Promise<ResourceReading> {
  let contents: readonly ResourceContents[] = [];
  const mapped = await performRead(parts, {
    server,
    method: "resources/read",
    arguments: { uri },
    signal,
    async send(call) {
      const read = await offers.read(uri, call);
      contents = read.parts;
      return read.reply;
    },
    map: (reply) => mapReplies(parts, reply.content.length === 0 ? [] : [reply], outputTokens),
  });
  const blocks = mapped.results.flatMap((result) => result.block.content);
  const empty = { type: "text", text: `Resource ${uri}: empty` } as const;
  noteBrought(parts, mapped.tool, blocks);
  return {
    server,
    uri,
    contents: contents.map((part) => withoutSecrets(part, parts)),
    blocks: blocks.length === 0 ? [empty] : blocks,
    bytes: contents.reduce((sum, part) => sum + bytesOf(part), 0),
  };
}

function withoutSecrets(part: ResourceContents, { secrets }: HostParts): ResourceContents {
  return part.text === undefined ? part : { ...part, text: secrets.redact(part.text) };
}

function bytesOf({ text, blob }: ResourceContents): number {
  if (blob !== undefined) return Math.floor((withoutEnd(blob, "=").length * 3) / 4);
  return text === undefined ? 0 : utf8Length(text);
}
