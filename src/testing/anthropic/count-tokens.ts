import { isObject } from "../../util/own.ts";
import { imageTokens } from "./rules/images.ts";
import { objectsOf, type WireObject } from "./rules/request-view.ts";

/** A part of a request that is counted, and that a cached prefix may end with. */
export interface CountedPart {
  /** `tool`, `system`, or the role of its message. */
  readonly label: string;
  readonly tokens: number;
  readonly breakpoint: boolean;
  /** Its JSON without a breakpoint. */
  readonly text: string;
}

const counted = new WeakMap<WireObject, CountedPart[]>();

/**
 * Tools, system and messages, block by block, in the order in which the API reads them. A token is four bytes of JSON
 * here; an image costs what the API's page on vision says.
 */
export function countedParts(request: WireObject): CountedPart[] {
  const known = counted.get(request);
  if (known !== undefined) return known;
  const parts = [
    ...objectsOf(request.tools).map((item) => ({ label: "tool", item })),
    ...listOf(request.system).map((item) => ({ label: "system", item })),
    ...objectsOf(request.messages).flatMap((message) =>
      listOf(message.content).map((item) => ({ label: String(message.role), item })),
    ),
  ].map(({ label, item }) => countPart(label, item));
  counted.set(request, parts);
  return parts;
}

/** Tokens of everything that the model reads of a request. */
export function countInputTokens(request: WireObject): number {
  return countedParts(request).reduce((total, { tokens }) => total + tokens, 0);
}

function countPart(label: string, item: unknown): CountedPart {
  const { cache_control: control, ...rest } = isObject(item) ? item : { text: item };
  const text = JSON.stringify(rest);
  const images = [rest, ...objectsOf(rest.content)].filter(({ type }) => type === "image");
  const inline = images.reduce((bytes, { source }) => bytes + dataOf(source).length, 0);
  const pictures = images.reduce((tokens, { source }) => tokens + imageTokens(dataOf(source)), 0);
  const tokens = Math.ceil((Buffer.byteLength(text) - inline) / 4) + pictures;
  return { label, tokens, breakpoint: isObject(control), text };
}

function dataOf(source: unknown): string {
  return isObject(source) && typeof source.data === "string" ? source.data : "";
}

function listOf(value: unknown): readonly unknown[] {
  if (typeof value === "string") return value === "" ? [] : [{ type: "text", text: value }];
  return Array.isArray(value) ? value : [];
}
