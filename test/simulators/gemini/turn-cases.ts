import * as signatures from "../../../src/testing/gemini/rules/thought-signatures.ts";
import * as turns from "../../../src/testing/gemini/rules/turns.ts";
import { mintSignature } from "../../../src/testing/gemini/signatures.ts";
import {
  answered,
  call,
  model,
  type RefusalCase,
  request,
  response,
  signature,
  text,
  user,
} from "./bodies.ts";

const problem = (path: string, words: string): string => `* GenerateContentRequest.${path}: ${words}\n`;

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
