import { readBase64 } from "../../../util/base64-bytes.ts";
import { readImageHeader } from "../../../util/image-header.ts";
import { isObject } from "../../../util/own.ts";
import type { WireObject } from "../../wire-server/api.ts";
import {
  contentsOf,
  fieldProblem,
  firstRefusal,
  type GeminiRequest,
  type GeminiRule,
  heldBy,
  objectsOf,
} from "./request-view.ts";

/** A piece of inline data, with its place. */
interface PlacedData {
  readonly path: string;
  readonly blob: WireObject;
}

function dataOf(request: GeminiRequest): PlacedData[] {
  return contentsOf(request).flatMap(({ index, parts }) =>
    parts.flatMap((part, place) => {
      const path = `contents[${index}].parts[${place}]`;
      const { inlineData, functionResponse } = part;
      const inner = isObject(functionResponse) ? objectsOf(functionResponse.parts) : [];
      return [
        ...(isObject(inlineData) ? [{ path: `${path}.inline_data`, blob: inlineData }] : []),
        ...inner.flatMap((one, at) =>
          isObject(one.inlineData)
            ? [{ path: `${path}.function_response.parts[${at}].inline_data`, blob: one.inlineData }]
            : [],
        ),
      ];
    }),
  );
}

const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];

/** Types of images that the API reads; other kinds of media are not looked at. */
export const imageMediaTypes: GeminiRule = (request) =>
  firstRefusal(dataOf(request), ({ blob }) => {
    const type = String(blob.mimeType ?? "");
    return imageTypes.includes(type) || /^(?:audio|video|text|application)\/./.test(type)
      ? null
      : { message: `Unsupported MIME type: ${type}` };
  });

/** Data is base64. */
export const base64Data: GeminiRule = (request) =>
  firstRefusal(dataOf(request), ({ path, blob }) => {
    const given = String(blob.data ?? "");
    if (/^[A-Za-z0-9+/_-]*={0,2}$/.test(given)) return null;
    return {
      message: `Invalid value at '${path}.data' (TYPE_BYTES), Base64 decoding failed for ${JSON.stringify(given.slice(0, 100))}`,
    };
  });

/** Data is not empty. */
export const someData: GeminiRule = (request) =>
  firstRefusal(dataOf(request), ({ path, blob }) =>
    (blob.data ?? "") === "" ? fieldProblem(`${path}.data`, "data must not be empty.") : null,
  );

const readable: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/webp"]);

/** An image can be read. */
export const images: GeminiRule = (request) =>
  firstRefusal(dataOf(request), ({ blob }) => {
    if (!readable.has(String(blob.mimeType))) return null;
    const bytes = readBase64(String(blob.data));
    return bytes !== null && readImageHeader(bytes) !== null
      ? null
      : {
          message:
            "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
        };
  });

/** Before Gemini 3 the response to a call is JSON alone. */
export const responseMedia: GeminiRule = (request) => {
  if (request.facts.resultImages) return null;
  return firstRefusal(contentsOf(request), (content) =>
    heldBy(content, "functionResponse").some(({ parts }) => parts !== undefined)
      ? { message: "Multimodal function responses are not supported by this model." }
      : null,
  );
};
