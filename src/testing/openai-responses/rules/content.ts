import { isObject } from "../../../util/own.ts";
import { firstRefusal, type RuleRefusal, tooLong, wrongType } from "../../openai-chat/rules/request-view.ts";
import {
  itemsOf,
  missing,
  type PlacedPart,
  partsOf,
  type ResponsesRule,
  unsupportedValue,
} from "./request-view.ts";

const everyPart: readonly string[] = [
  "input_text",
  "input_image",
  "input_audio",
  "output_text",
  "refusal",
  "input_file",
  "computer_screenshot",
  "summary_text",
  "encrypted_content",
];
const askedParts: readonly string[] = [
  "input_text",
  "input_image",
  "input_file",
  "scoped_content",
  "input_audio",
];
const answeredParts: readonly string[] = ["output_text", "refusal"];
const outputParts: readonly string[] = ["input_text", "input_image", "input_file"];

/** Content is a text or a list of parts. */
export const contentType: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), ({ path, item, type }) => {
    const { content } = item;
    if (type !== "message" || typeof content === "string") return null;
    const param = `${path}.content`;
    if (!Array.isArray(content)) {
      return wrongType(param, "one of a string or array of content parts", content);
    }
    const at = content.findIndex((part) => !isObject(part));
    return at === -1 ? null : wrongType(`${param}[${at}]`, "an object", content[at]);
  });

/** The types of parts. */
export const knownParts: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), (placed) =>
    placed.type !== "message"
      ? null
      : firstRefusal(partsOf(placed, "content"), ({ path, part }) =>
          everyPart.includes(String(part.type))
            ? null
            : unsupportedValue(`${path}.type`, part.type, everyPart),
        ),
  );

/** The parts that each role takes: what was asked, or what was answered. */
export const partsOfRoles: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), (placed) => {
    if (placed.type !== "message") return null;
    const allowed = placed.item.role === "assistant" ? answeredParts : askedParts;
    return firstRefusal(partsOf(placed, "content"), ({ path, part }) =>
      allowed.includes(String(part.type)) ? null : unsupportedValue(path, part.type, allowed),
    );
  });

/** The output of a call is a text or a list of parts. */
export const outputType: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), ({ path, item, type }) => {
    const { output } = item;
    if (type !== "function_call_output" || typeof output === "string") return null;
    if (Array.isArray(output) && output.every(isObject)) return null;
    return wrongType(`${path}.output`, "one of a string or array of objects", output);
  });

/** The parts that an output takes. */
export const partsOfOutputs: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), (placed) =>
    placed.type !== "function_call_output"
      ? null
      : firstRefusal(partsOf(placed, "output"), ({ path, part }) =>
          outputParts.includes(String(part.type)) ? null : unsupportedValue(path, part.type, outputParts),
        ),
  );

const longestOutput = 10_485_760;

/** An output is not too long. */
export const shortOutputs: ResponsesRule = (request) =>
  firstRefusal(itemsOf(request), ({ path, item, type }) =>
    type === "function_call_output" && typeof item.output === "string" && item.output.length > longestOutput
      ? tooLong(`${path}.output`, longestOutput, item.output.length)
      : null,
  );

function allParts(request: Parameters<ResponsesRule>[0]): PlacedPart[] {
  return itemsOf(request).flatMap((placed) => [
    ...(placed.type === "message" ? partsOf(placed, "content") : []),
    ...(placed.type === "function_call_output" ? partsOf(placed, "output") : []),
  ]);
}

const textFields: Readonly<Record<string, string>> = {
  input_text: "text",
  output_text: "text",
  refusal: "refusal",
};

/** A part of text has its text. */
export const partTexts: ResponsesRule = (request) =>
  firstRefusal(allParts(request), ({ path, part }) => {
    const field = textFields[String(part.type)];
    if (field === undefined || typeof part[field] === "string") return null;
    const param = `${path}.${field}`;
    return part[field] === undefined ? missing(param) : wrongType(param, "a string", part[field]);
  });

const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** An image is an address, or holds its bytes; of a type that can be read. */
export const imageUrls: ResponsesRule = (request) =>
  firstRefusal(allParts(request), ({ path, part }) => {
    const { image_url: url } = part;
    if (part.type !== "input_image" || (url == null && typeof part.file_id === "string")) return null;
    return imageRefusal(`${path}.image_url`, url);
  });

function imageRefusal(param: string, url: unknown): RuleRefusal | null {
  if (url == null) return missing(param);
  if (typeof url !== "string") return wrongType(param, "a string", url);
  const invalid = (problem: string): RuleRefusal => ({
    message: `Invalid '${param}'. ${problem}`,
    param,
    code: "invalid_value",
  });
  const expected =
    "Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got ";
  if (!url.startsWith("data:")) {
    return URL.canParse(url) && /^https?:/.test(url)
      ? null
      : invalid("Expected a valid URL, but got a value with an invalid format.");
  }
  const found = /^data:(?<type>[^;,]*);base64,/.exec(url);
  if (found === null) return invalid(`${expected}a value without the ';base64' separator.`);
  const type = found.groups?.type ?? "";
  if (!imageTypes.has(type)) return invalid(`${expected}unsupported MIME type '${type}'.`);
  const bytes = url.slice(found[0].length);
  if (bytes === "") return invalid(`${expected}empty base64-encoded bytes.`);
  return /^[A-Za-z0-9+/]+={0,2}$/.test(bytes) ? null : invalid(`${expected}an invalid base64-encoded value.`);
}
