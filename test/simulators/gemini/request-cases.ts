import * as contents from "../../../src/testing/gemini/rules/contents.ts";
import * as fields from "../../../src/testing/gemini/rules/fields.ts";
import * as media from "../../../src/testing/gemini/rules/media.ts";
import * as signatures from "../../../src/testing/gemini/rules/thought-signatures.ts";
import * as turns from "../../../src/testing/gemini/rules/turns.ts";
import { mintSignature } from "../../../src/testing/gemini/signatures.ts";
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

const afterUser =
  "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
const afterCall = "Please ensure that function response turn comes immediately after a function call turn.";
const asMany =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";

export const turnCases: readonly RefusalCase[] = [
  {
    rule: turns.callTurns,
    name: "first of all",
    refused: request([model(call()), user(response())]),
    message: afterUser,
    accepted: answered([call()], [response()]),
  },
  {
    rule: turns.callTurns,
    name: "of the user",
    refused: request([user(text("a")), model(text("b")), user(call())]),
    message: afterUser,
    accepted: request([user(text("a")), model(text("b")), model(call()), user(response())]),
    literal: false,
  },
  {
    rule: turns.responseTurns,
    name: "without a call",
    refused: request([user(response())]),
    message: afterCall,
    accepted: answered([call()], [response()]),
  },
  {
    rule: turns.responseCounts,
    name: "one too many",
    refused: request([user(text("go")), model(call()), user(response()), user(response())]),
    message: asMany,
    accepted: request([user(text("go")), model(call()), user(response()), user(text("and"))]),
  },
  {
    rule: turns.responseCounts,
    name: "one too few",
    refused: answered([call(), call({}, {})], [response()]),
    message: asMany,
    accepted: answered([call(), call({}, {})], [response(), response()]),
  },
  {
    rule: turns.responseCounts,
    name: "none",
    refused: answered([call()], [text("well")]),
    message: asMany,
    accepted: answered([call()], [response(), text("well")]),
  },
  {
    rule: turns.responseMatches,
    name: "another name",
    refused: answered([call()], [response({ name: "u" })]),
    message: 'The function response "u" does not match a function call.',
    accepted: answered([call({ name: "u" })], [response({ name: "u" })]),
    literal: false,
  },
  {
    rule: turns.responseMatches,
    name: "another id",
    refused: answered([call({ id: "1" })], [response({ id: "2" })]),
    message: 'The function response "t" does not match a function call.',
    accepted: answered([call({ id: "1" })], [response()]),
    literal: false,
  },
  {
    rule: turns.functionNames,
    name: "of a response",
    refused: answered([call()], [{ functionResponse: { response: {} } }]),
    message: problem("contents[2].parts[0].function_response.name", "Name cannot be empty."),
    accepted: answered([call()], [{ functionResponse: { name: "t", response: {} } }]),
  },
  {
    rule: turns.responseReferences,
    name: "a tool's own reference",
    refused: answered([call()], [response({ response: { output: { $ref: "#/$defs/x" } } })]),
    message:
      "The referenced name `#/$defs/x` in function_response.response does not match to a display_name in the function_response.parts.",
    accepted: answered([call()], [response({ response: { output: '{"$ref":"#/$defs/x"}' } })]),
  },
];

const missing = (name: string, position: number): string =>
  `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${position}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;

export const signatureCases: readonly RefusalCase[] = [
  {
    rule: signatures.callsSigned,
    name: "the only call",
    refused: answered([call({}, {})], [response()]),
    message: missing("t", 2),
    accepted: answered([call()], [response()]),
  },
  {
    rule: signatures.callsSigned,
    name: "the first of two",
    refused: answered([call({}, {}), call()], [response(), response()]),
    message: missing("t", 2),
    accepted: answered([call(), call({}, {})], [response(), response()]),
  },
  {
    rule: signatures.callsSigned,
    name: "the second step of a turn",
    refused: request([
      user(text("go")),
      model(call()),
      user(response()),
      model(call({}, {})),
      user(response()),
    ]),
    message: missing("t", 4),
    accepted: request([
      user(text("go")),
      model(call({}, {})),
      user(response()),
      model(text("so")),
      user(text("next")),
      model(call()),
      user(response()),
    ]),
  },
  {
    rule: signatures.signaturesSound,
    name: "altered",
    refused: answered([call({}, { thoughtSignature: `${signature.slice(0, -4)}AAAA` })], [response()]),
    message: "Corrupted thought signature.",
    accepted: answered([call({}, { thoughtSignature: "skip_thought_signature_validator" })], [response()]),
  },
  {
    rule: signatures.signaturesSound,
    name: "of another model",
    refused: request([
      user(text("a")),
      model(text("b", { thoughtSignature: mintSignature("gemini-3-flash", "1") })),
    ]),
    message: "Corrupted thought signature.",
    accepted: request([user(text("a")), model(text("b", { thoughtSignature: signature }))]),
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
