import * as content from "../../../src/testing/openai-responses/rules/content.ts";
import { answered, asking, body, call, image, output, type RuleCase, talk } from "./bodies.ts";

const text = { type: "input_text", text: "hi" };
const expected =
  "Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got";
const invalidImage = (problem: string): string => `Invalid 'input[0].content[0].image_url'. ${problem}`;

export const contentCases: readonly RuleCase[] = [
  {
    rule: content.contentType,
    refused: body({ input: [{ role: "user", content: 7 }] }),
    message:
      "Invalid type for 'input[0].content': expected one of a string or array of content parts, but got an integer instead.",
    accepted: body({ input: [{ role: "user", content: "7" }] }),
  },
  {
    rule: content.contentType,
    refused: asking("hi"),
    message: "Invalid type for 'input[0].content[0]': expected an object, but got a string instead.",
    accepted: asking(text),
  },
  {
    rule: content.knownParts,
    refused: asking({ type: "text", text: "hi" }),
    message:
      "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', 'input_audio', 'output_text', 'refusal', 'input_file', 'computer_screenshot', 'summary_text', and 'encrypted_content'.",
    param: "input[0].content[0].type",
    code: "invalid_value",
    accepted: asking(text),
  },
  {
    rule: content.partsOfRoles,
    refused: asking({ type: "output_text", text: "hi" }),
    message:
      "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', 'input_file', 'scoped_content', and 'input_audio'.",
    param: "input[0].content[0]",
    code: "invalid_value",
    accepted: asking(text),
  },
  {
    rule: content.partsOfRoles,
    refused: talk(answered(text)),
    message: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    param: "input[1].content[0]",
    accepted: talk(answered({ type: "output_text", text: "hi" }, { type: "refusal", refusal: "no" })),
  },
  {
    rule: content.outputType,
    refused: talk(call(), output({ output: { text: "ok" } })),
    message:
      "Invalid type for 'input[2].output': expected one of a string or array of objects, but got an object instead.",
    accepted: talk(call(), output({ output: [text] })),
  },
  {
    rule: content.partsOfOutputs,
    refused: talk(call(), output({ output: [{ type: "output_text", text: "ok" }] })),
    message:
      "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', and 'input_file'.",
    param: "input[2].output[0]",
    accepted: talk(call(), output({ output: [text, image("https://a.example/b.png")] })),
  },
  {
    rule: content.partTexts,
    refused: asking({ type: "input_text" }),
    message: "Missing required parameter: 'input[0].content[0].text'.",
    code: "missing_required_parameter",
    accepted: asking({ type: "input_text", text: "" }),
  },
  {
    rule: content.shortOutputs,
    refused: talk(call(), output({ output: "x".repeat(10_485_761) })),
    message:
      "Invalid 'input[2].output': string too long. Expected a string with maximum length 10485760, but got a string with length 10485761 instead.",
    code: "string_above_max_length",
    accepted: talk(call(), output({ output: "x".repeat(10_485_760) })),
  },
];

export const imageCases: readonly RuleCase[] = [
  {
    rule: content.imageUrls,
    refused: asking(image("iVBORw0KGgo=")),
    message: invalidImage("Expected a valid URL, but got a value with an invalid format."),
    param: "input[0].content[0].image_url",
    code: "invalid_value",
    accepted: asking(image("data:image/png;base64,iVBORw0KGgo=")),
  },
  {
    rule: content.imageUrls,
    refused: asking(image("data:image/svg+xml;base64,PHN2Zy8+")),
    message: invalidImage(`${expected} unsupported MIME type 'image/svg+xml'.`),
    accepted: asking(image("data:image/webp;base64,PHN2Zy8+")),
  },
  {
    rule: content.imageUrls,
    refused: asking(image("data:image/png,x")),
    message: invalidImage(`${expected} a value without the ';base64' separator.`),
    accepted: asking(image("data:image/png;base64,AAAA")),
  },
  {
    rule: content.imageUrls,
    refused: asking(image("data:image/png;base64,")),
    message: invalidImage(`${expected} empty base64-encoded bytes.`),
    accepted: asking(image("data:image/png;base64,AAAA")),
  },
  {
    rule: content.imageUrls,
    refused: talk(call(), output({ output: [image("data:image/png;base64,A A")] })),
    message: `Invalid 'input[2].output[0].image_url'. ${expected} an invalid base64-encoded value.`,
    accepted: talk(call(), output({ output: [image("data:image/png;base64,AA==")] })),
  },
];
