import type { Json } from "../types/json.ts";
import type { CallReply, ServerBlock } from "../types/outcome.ts";
import { isObject } from "../util/own.ts";
import { plainBase64 } from "./base64.ts";
import { isDeeperThan } from "./depth.ts";
import { summarise } from "./summarise.ts";

const deepestStructure = 500;
/** For what stands for a text: it is bounded by the size of the message already. */
const wholeLength = Number.POSITIVE_INFINITY;

/** Reads a `tools/call` result of any shape: nothing a server sends makes a call that ran look as if it had failed. */
export function ingestCallResult(result: unknown): CallReply {
  const repairs: string[] = [];
  if (!isObject(result)) {
    repairs.push("The result was no object.");
    return { content: blocksOf(result, repairs), isError: false, repairs };
  }
  const { resultType, isError, structuredContent } = result;
  const content = blocksOf(contentOf(result, repairs), repairs);
  if (resultType !== undefined && resultType !== null && resultType !== "complete") {
    repairs.push("The result is of a type that the host does not know.");
    content.push({ type: "unknown", kind: summarise(resultType, 100), summary: summarise(result) });
  }
  const tooDeep = isDeeperThan(structuredContent, deepestStructure);
  if (tooDeep) content.push(leftOut(repairs));
  return {
    content,
    ...(structuredContent === undefined || tooDeep ? {} : { structuredContent: structuredContent as Json }),
    isError: readIsError(isError, repairs),
    repairs,
  };
}

/** Texts that say no. */
const noWords: ReadonlySet<string> = new Set(["", "0", "false", "no", "n", "off", "null", "undefined"]);

/** What is no boolean means an error unless it says no: a failure must not pass for a success. The content is kept either way. */
function readIsError(isError: unknown, repairs: string[]): boolean {
  if (typeof isError === "boolean" || isError === undefined) return isError === true;
  const means = typeof isError === "string" ? !noWords.has(isError.trim().toLowerCase()) : Boolean(isError);
  repairs.push(`isError was no boolean and was read as ${means}.`);
  return means;
}

/** Takes the place of a structure that is not read, so that nobody believes that there was none. */
function leftOut(repairs: string[]): ServerBlock {
  const repair = `structuredContent was nested deeper than ${deepestStructure} and was left out.`;
  repairs.push(repair);
  return { type: "text", text: `[${repair}]` };
}

/** The list of blocks, wherever the server put it. */
function contentOf(result: Record<string, unknown>, repairs: string[]): unknown {
  if (result.content !== undefined) return result.content;
  // Revision 2024-10-07 had one free-form member instead of blocks.
  if (result.toolResult !== undefined) return summarise(result.toolResult, wholeLength);
  if (result.structuredContent === undefined && (result.resultType ?? undefined) === undefined)
    repairs.push("content was missing.");
  return [];
}

function blocksOf(content: unknown, repairs: string[]): ServerBlock[] {
  if (content === null || content === undefined) return [];
  if (Array.isArray(content)) return content.map((block) => readBlock(block, repairs));
  repairs.push("content was no list.");
  return [readBlock(content, repairs)];
}

function readBlock(block: unknown, repairs: string[]): ServerBlock {
  if (typeof block === "string") {
    repairs.push("A block was a bare text.");
    return { type: "text", text: block };
  }
  if (!isObject(block)) return unknownBlock("value", block, repairs);
  switch (block.type) {
    case "text":
      return readText(block, repairs);
    case "image":
    case "audio":
      return readMedia(block.type, block, repairs);
    case "resource_link":
      return readLink(block, repairs);
    case "resource":
      return readResource(block, repairs);
    default:
      return unknownBlock(typeof block.type === "string" ? block.type : "block", block, repairs);
  }
}

function readText(block: Record<string, unknown>, repairs: string[]): ServerBlock {
  const { text } = block;
  if (typeof text === "string") return { type: "text", text };
  repairs.push("A text block had no text.");
  return { type: "text", text: text === undefined || text === null ? "" : summarise(text, wholeLength) };
}

function readMedia(type: "image" | "audio", block: Record<string, unknown>, repairs: string[]): ServerBlock {
  const media = plainBase64(block.data);
  if (media === null) return unknownBlock(type, { ...block, data: "(unreadable)" }, repairs);
  if (media.repaired) repairs.push(`The data of an ${type} block was not plain base64.`);
  const mimeType = typeof block.mimeType === "string" ? block.mimeType : media.mimeType;
  return { type, data: media.base64, mimeType: mimeType ?? "application/octet-stream" };
}

function readLink(block: Record<string, unknown>, repairs: string[]): ServerBlock {
  if (typeof block.uri !== "string") return unknownBlock("resource_link", block, repairs);
  return {
    type: "resource_link",
    uri: block.uri,
    ...texts(block, ["name", "title", "description", "mimeType"]),
    ...(typeof block.size === "number" ? { size: block.size } : {}),
  };
}

function readResource(block: Record<string, unknown>, repairs: string[]): ServerBlock {
  // Some servers put the resource's members on the block itself.
  const resource = isObject(block.resource) ? block.resource : block;
  if (typeof resource.uri !== "string") return unknownBlock("resource", block, repairs);
  const named = { type: "resource" as const, uri: resource.uri, ...texts(resource, ["mimeType"]) };
  if (typeof resource.text === "string") return { ...named, text: resource.text };
  const blob = plainBase64(resource.blob);
  if (blob === null) return withoutContent(named, resource, repairs);
  if (blob.repaired) repairs.push("The blob of a resource block was not plain base64.");
  return { ...named, blob: blob.base64 };
}

/** Nothing to read is told as empty; what is there and cannot be read is not. */
function withoutContent(
  named: Extract<ServerBlock, { type: "resource" }>,
  { text, blob }: Record<string, unknown>,
  repairs: string[],
): ServerBlock {
  if (blob !== undefined && blob !== null)
    return unknownBlock("resource", { ...named, blob: "(unreadable: no base64)" }, repairs);
  repairs.push("A resource block had neither text nor blob.");
  return text === undefined || text === null ? named : { ...named, text: summarise(text, wholeLength) };
}

/** Those of the named members that are texts. */
function texts(object: Record<string, unknown>, names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string") kept[name] = value;
  }
  return kept;
}

function unknownBlock(kind: string, block: unknown, repairs: string[]): ServerBlock {
  repairs.push(`A block of kind ${JSON.stringify(kind.slice(0, 100))} could not be read.`);
  return { type: "unknown", kind: kind.slice(0, 100), summary: summarise(block) };
}
