import type { ReadReply } from "../types/offers.ts";
import type { ResourceContents, ServerResource, ServerResourceTemplate } from "../types/resource.ts";
import { isObject } from "../util/own.ts";
import { ingestCallResult } from "./ingest-content.ts";
import { keyProblem, leaveOut, nameOf, type ReadEntry, textsOf } from "./offer-entries.ts";

const longestUri = 8_000;

/** A member of `resources/list` (MCP 2026-07-28, `Resource`). */
export const readResourceEntry: ReadEntry<ServerResource> = (raw) => {
  const { uri, size } = raw;
  const problem = keyProblem("URI", uri, longestUri);
  if (problem !== null || typeof uri !== "string") return leaveOut(nameOf(raw, "(unnamed)"), problem ?? "");
  const entry: ServerResource = {
    uri,
    name: nameOf(raw, uri),
    ...textsOf(raw, ["title", "description", "mimeType"]),
    ...(typeof size === "number" && Number.isSafeInteger(size) && size >= 0 ? { size } : {}),
  };
  return { type: "entry", key: uri, entry };
};

/** A member of `resources/templates/list` (MCP 2026-07-28, `ResourceTemplate`). */
export const readTemplateEntry: ReadEntry<ServerResourceTemplate> = (raw) => {
  const { uriTemplate } = raw;
  const problem = keyProblem("uriTemplate", uriTemplate, longestUri);
  if (problem !== null || typeof uriTemplate !== "string")
    return leaveOut(nameOf(raw, "(unnamed)"), problem ?? "");
  const entry: ServerResourceTemplate = {
    uriTemplate,
    name: nameOf(raw, uriTemplate),
    ...textsOf(raw, ["title", "description", "mimeType"]),
  };
  return { type: "entry", key: uriTemplate, entry };
};

/**
 * Reads a `resources/read` result of any shape: a part that cannot be read is described, and the others are kept. A part
 * without a URI is the one that was asked for.
 */
export function ingestReadResult(result: unknown, uri: string): ReadReply<ResourceContents> {
  const contents = isObject(result) ? result.contents : undefined;
  const raw = Array.isArray(contents) ? contents : contents === undefined ? [] : [contents];
  const content = raw.map((part) => ({
    type: "resource",
    resource: isObject(part) && typeof part.uri !== "string" ? { ...part, uri } : part,
  }));
  const reply = ingestCallResult({ content });
  const parts = reply.content.flatMap((block): ResourceContents[] => {
    if (block.type !== "resource") return [];
    const { type: _type, ...part } = block;
    return [part];
  });
  const repairs = Array.isArray(contents) ? reply.repairs : ["contents was no list.", ...reply.repairs];
  return { parts, reply: { ...reply, repairs } };
}
