import * as contents from "../../../src/testing/gemini/rules/contents.ts";
import * as fields from "../../../src/testing/gemini/rules/fields.ts";
import * as media from "../../../src/testing/gemini/rules/media.ts";
import {
  answered,
  asking,
  call,
  image,
  model,
  parameter,
  png,
  type RefusalCase,
  request,
  response,
  signature,
  text,
  user,
} from "./bodies.ts";

const unknown = (name: string, path: string): string =>
  `Invalid JSON payload received. Unknown name "${name}"${path === "" ? "" : ` at '${path}'`}: Cannot find field.`;
const problem = (path: string, words: string): string => `* GenerateContentRequest.${path}: ${words}\n`;

export const fieldCases: readonly RefusalCase[] = [
  {
    rule: fields.unknownFields,
    name: "of the request",
    refused: asking({ messages: [] }),
    message: unknown("messages", ""),
    accepted: asking({ generation_config: {} }),
  },
  {
    rule: fields.unknownFields,
    name: "of a part",
    refused: request([user(text("a", { type: "text" }))]),
    message: unknown("type", "contents[0].parts[0]"),
    accepted: request([user(text("a", { thought: false }))]),
  },
  {
    rule: fields.unknownFields,
    name: "of a call",
    refused: answered([call({ arguments: {} })], [response()]),
    message: unknown("arguments", "contents[1].parts[0].function_call"),
    accepted: answered([call({ id: "1" })], [response({ id: "1" })]),
  },
  {
    rule: fields.unknownFields,
    name: "of a function",
    refused: asking({ tools: [{ functionDeclarations: [{ name: "t", inputSchema: {} }] }] }),
    message: unknown("inputSchema", "tools[0].function_declarations[0]"),
    accepted: asking({ tools: [{ function_declarations: [{ name: "t", description: "d" }] }] }),
  },
  {
    rule: fields.schemaKeywords,
    name: "additionalProperties",
    refused: parameter({ type: "STRING" }, { additionalProperties: false }),
    message: unknown("additionalProperties", "tools[0].function_declarations[0].parameters"),
    accepted: parameter({ type: "STRING" }, { required: ["a"] }),
  },
  {
    rule: fields.schemaKeywords,
    name: "const, deep inside",
    refused: parameter({ anyOf: [{ type: "STRING", const: "x" }] }),
    message: unknown("const", "tools[0].function_declarations[0].parameters.properties[0].value.any_of[0]"),
    accepted: parameter({ anyOf: [{ type: "STRING", enum: ["x"] }] }),
  },
  {
    rule: fields.schemaKeywords,
    name: "exclusiveMinimum",
    refused: parameter({ type: "INTEGER", exclusiveMinimum: 0 }),
    message: unknown("exclusiveMinimum", "tools[0].function_declarations[0].parameters.properties[0].value"),
    accepted: parameter({ type: "INTEGER", minimum: 1 }),
  },
  {
    rule: fields.schemaKeywords,
    name: "$ref",
    refused: parameter({ $ref: "#/$defs/x" }),
    message: unknown("$ref", "tools[0].function_declarations[0].parameters.properties[0].value"),
    accepted: parameter({ type: "STRING", title: "x" }),
  },
  {
    rule: fields.singleValues,
    name: "a list of types",
    refused: parameter({ type: ["STRING", "NULL"] }),
    message:
      "Invalid JSON payload received. Unknown name \"type\" at 'tools[0].function_declarations[0].parameters.properties[0].value': Proto field is not repeating, cannot start list.",
    accepted: parameter({ type: "STRING", nullable: true }),
  },
  {
    rule: fields.fieldTypes,
    name: "arguments as text",
    refused: answered([call({ args: "{}" })], [response()]),
    message:
      "Invalid value at 'contents[1].parts[0].function_call.args' (type.googleapis.com/google.protobuf.Struct), \"{}\"",
    accepted: answered([call({ args: { a: 1 } })], [response()]),
  },
  {
    rule: fields.fieldTypes,
    name: "an enum of numbers",
    refused: parameter({ type: "INTEGER", enum: [1] }),
    message:
      "Invalid value at 'tools[0].function_declarations[0].parameters.properties[0].value.enum' (TYPE_STRING), [1]",
    accepted: parameter({ type: "STRING", enum: ["1"] }),
    literal: false,
  },
  {
    rule: fields.tokenLimit,
    name: "none",
    refused: asking({ generationConfig: { maxOutputTokens: 0 } }),
    message: problem("generation_config.max_output_tokens", "max_output_tokens must be positive."),
    accepted: asking({ generationConfig: { maxOutputTokens: 1 } }),
  },
  {
    rule: fields.thinkingModels,
    name: "a model that does not think",
    model: "gemini-2.0-flash",
    refused: asking({ generationConfig: { thinkingConfig: { includeThoughts: true } } }),
    message: "Thinking is not supported by this model.",
    accepted: asking({ generationConfig: {} }),
    literal: false,
  },
];

export const contentCases: readonly RefusalCase[] = [
  {
    rule: contents.someContents,
    name: "none",
    refused: request([]),
    message: problem("contents", "contents is not specified"),
    accepted: request(),
  },
  {
    rule: contents.roles,
    name: "assistant",
    refused: request([user(text("a")), { role: "assistant", parts: [text("b")] }]),
    message: "Please use a valid role: user, model.",
    accepted: request([user(text("a")), model(text("b"))]),
  },
  {
    rule: contents.roles,
    name: "none of several",
    refused: request([{ parts: [text("a")] }, model(text("b"))]),
    message: "Please use a valid role: user, model.",
    accepted: request([{ parts: [text("a")] }]),
  },
  {
    rule: contents.someParts,
    name: "none",
    refused: request([user()]),
    message: problem("contents[0].parts", "contents.parts must not be empty."),
    accepted: request([user(text(""))]),
  },
  {
    rule: contents.heldData,
    name: "an empty part",
    refused: request([user({})]),
    message: problem(
      "contents[0].parts[0].data",
      "required oneof field 'data' must have one initialized field",
    ),
    accepted: request([user(text(""))]),
  },
  {
    rule: contents.singleData,
    name: "text and a call",
    refused: answered([call({}, { text: "a", thoughtSignature: signature })], [response()]),
    message:
      "Invalid value at 'contents[1].parts[0]' (oneof), oneof field 'data' is already set. Cannot set 'functionCall'",
    accepted: answered([text("a"), call()], [response()]),
  },
  {
    rule: contents.systemText,
    name: "no parts",
    refused: asking({ systemInstruction: { parts: [] } }),
    message: problem("system_instruction.parts", "contents.parts must not be empty."),
    accepted: asking({ systemInstruction: { parts: [text("a")] } }),
    literal: false,
  },
  {
    rule: contents.systemText,
    name: "an image",
    refused: asking({ systemInstruction: { parts: [image("image/png", png)] } }),
    message: "Developer instruction must be text.",
    accepted: asking({ systemInstruction: { parts: [text("a")] } }),
    literal: false,
  },
];

export const mediaCases: readonly RefusalCase[] = [
  {
    rule: media.imageMediaTypes,
    name: "SVG",
    refused: request([user(image("image/svg+xml", png))]),
    message: "Unsupported MIME type: image/svg+xml",
    accepted: request([user(image("image/png", png))]),
  },
  {
    rule: media.imageMediaTypes,
    name: "GIF inside a response",
    refused: answered([call()], [response({ parts: [image("image/gif", png)] })]),
    message: "Unsupported MIME type: image/gif",
    accepted: answered([call()], [response({ parts: [image("image/png", png)] })]),
  },
  {
    rule: media.base64Data,
    name: "no base64",
    refused: request([user(image("image/png", "a b"))]),
    message:
      "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed for \"a b\"",
    accepted: request([user(image("image/png", png))]),
  },
  {
    rule: media.someData,
    name: "no data",
    refused: request([user(image("image/heic", ""))]),
    message: problem("contents[0].parts[0].inline_data.data", "data must not be empty."),
    accepted: request([user(image("image/heic", "AAAA"))]),
    literal: false,
  },
  {
    rule: media.images,
    name: "no image",
    refused: request([user(image("image/png", "AAAA"))]),
    message:
      "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
    accepted: request([user(image("image/png", png))]),
  },
  {
    rule: media.responseMedia,
    name: "an image in a response",
    model: "gemini-2.5-pro",
    refused: answered([call({}, {})], [response({ parts: [image("image/png", png)] })]),
    message: "Multimodal function responses are not supported by this model.",
    accepted: answered([call({}, {})], [response(), image("image/png", png)]),
    literal: false,
  },
];
