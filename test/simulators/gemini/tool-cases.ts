import * as schemas from "../../../src/testing/gemini/rules/json-schema.ts";
import * as rules from "../../../src/testing/gemini/rules/parameters.ts";
import * as tools from "../../../src/testing/gemini/rules/tools.ts";
import { asking, declaring, jsonSchema, parameter, parameters, type RefusalCase } from "./bodies.ts";

const first = "tools[0].function_declarations[0]";
const problem = (path: string, words: string): string => `* GenerateContentRequest.${path}: ${words}\n`;
const named = (...names: readonly string[]): object[] => names.map((name) => ({ name }));
const calling = (config: object, ...functionDeclarations: object[]): object =>
  asking({ tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig: config } });
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ name: `t${index}` }));
const badName =
  "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.";

export const toolCases: readonly RefusalCase[] = [
  {
    rule: tools.functionNamePatterns,
    name: "a digit first",
    refused: declaring(...named("1t")),
    message: problem(`${first}.name`, badName),
    accepted: declaring(...named("_1t")),
  },
  {
    rule: tools.functionNamePatterns,
    name: "too long",
    refused: declaring(...named("t".repeat(65))),
    message: problem(`${first}.name`, badName),
    accepted: declaring(...named(`t:.-${"t".repeat(60)}`)),
  },
  {
    rule: tools.uniqueNames,
    name: "twice",
    refused: declaring(...named("t", "t")),
    message: "Duplicate function declaration found: t",
    accepted: declaring(...named("t", "u")),
  },
  {
    rule: tools.fewFunctions,
    name: "513",
    refused: declaring(...many(513)),
    message: "At most 512 function declarations can be provided.",
    accepted: declaring(...many(512)),
    literal: false,
  },
  {
    rule: tools.oneParameterForm,
    name: "both",
    refused: declaring({
      name: "t",
      parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } },
      parametersJsonSchema: { type: "object" },
    }),
    message: problem(first, "parameters and parameters_json_schema are mutually exclusive."),
    accepted: jsonSchema({ type: "object" }),
    literal: false,
  },
  {
    rule: tools.callingNeedsFunctions,
    name: "no functions",
    refused: asking({ toolConfig: { functionCallingConfig: { mode: "AUTO" } } }),
    message: "Function calling config is set without function_declarations.",
    accepted: calling({ mode: "AUTO" }, ...named("t")),
  },
  {
    rule: tools.allowedNames,
    name: "in another mode",
    refused: calling({ mode: "AUTO", allowedFunctionNames: ["t"] }, ...named("t")),
    message: problem(
      "tool_config.function_calling_config.allowed_function_names",
      "only allowed when mode is ANY.",
    ),
    accepted: calling({ mode: "ANY", allowedFunctionNames: ["t"] }, ...named("t")),
    literal: false,
  },
  {
    rule: tools.allowedNames,
    name: "of no function",
    refused: calling({ mode: "ANY", allowedFunctionNames: ["u"] }, ...named("t")),
    message: problem(
      "tool_config.function_calling_config.allowed_function_names",
      "must be names of function_declarations.",
    ),
    accepted: calling({ mode: "ANY", allowedFunctionNames: ["t"] }, ...named("t")),
    literal: false,
  },
];

const string = { type: "STRING" };

export const parameterCases: readonly RefusalCase[] = [
  {
    rule: rules.knownTypes,
    name: "a type nobody knows",
    refused: parameter({ type: "date" }),
    message: `Invalid value at '${first}.parameters.properties[a].type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "date"`,
    accepted: parameter({ type: "string" }),
  },
  {
    rule: rules.objectRoot,
    name: "a text",
    refused: parameters(string),
    message: problem(`${first}.parameters.type`, "schema should be of type OBJECT"),
    accepted: parameter(string),
    literal: false,
  },
  {
    rule: rules.typedNodes,
    name: "anything",
    refused: parameter({ description: "d" }),
    message: problem(`${first}.parameters.properties[a].type`, "schema type is not specified"),
    accepted: parameter({ description: "d", anyOf: [string] }),
    literal: false,
  },
  {
    rule: rules.anyOfAlone,
    name: "a type beside it",
    refused: parameter({ type: "STRING", anyOf: [string] }),
    message: problem(
      `${first}.parameters.properties[a].any_of`,
      "when using any_of, it must be the only field set",
    ),
    accepted: parameter({ anyOf: [string] }),
    literal: false,
  },
  {
    rule: rules.propertiesOfObjects,
    name: "of a text",
    refused: parameter({ type: "STRING", properties: { b: string } }),
    message: problem(`${first}.parameters.properties[a].properties`, "only allowed for OBJECT type"),
    accepted: parameter({ type: "OBJECT", properties: { b: string } }),
  },
  {
    rule: rules.objectProperties,
    name: "none",
    refused: parameter({ type: "OBJECT" }),
    message: problem(`${first}.parameters.properties[a].properties`, "should be non-empty for OBJECT type"),
    accepted: parameter({ type: "OBJECT", properties: { b: string } }),
  },
  {
    rule: rules.parameterNames,
    name: "a blank in it",
    refused: parameters({ type: "OBJECT", properties: { "a b": string } }),
    message: problem(
      `${first}.parameters.properties[a b]`,
      "Parameter names must start with a letter or an underscore and must only contain chars a-z, A-Z, 0-9, or underscores with a maximum length of 64.",
    ),
    accepted: parameters({ type: "OBJECT", properties: { a_b: string } }),
    literal: false,
  },
  {
    rule: rules.requiredDefined,
    name: "not defined",
    refused: parameter(string, { required: ["b"] }),
    message: problem(`${first}.parameters.required[0]`, "property is not defined"),
    accepted: parameter(string, { required: ["a"] }),
  },
  {
    rule: rules.arrayItems,
    name: "none",
    refused: parameter({ type: "ARRAY" }),
    message: problem(`${first}.parameters.properties[a].items`, "missing field."),
    accepted: parameter({ type: "ARRAY", items: string }),
  },
  {
    rule: rules.itemsOfArrays,
    name: "of a text",
    refused: parameter({ type: "STRING", items: string }),
    message: problem(
      `${first}.parameters.properties[a].items`,
      "field predicate failed: $type == Type.ARRAY",
    ),
    accepted: parameter({ type: "ARRAY", items: string }),
  },
  {
    rule: rules.enumsOfStrings,
    name: "of a number",
    refused: parameter({ type: "NUMBER", enum: ["1"] }),
    message: problem(`${first}.parameters.properties[a].enum`, "only allowed for STRING type"),
    accepted: parameter({ type: "STRING", enum: ["1"] }),
  },
  {
    rule: rules.enumValues,
    name: "an empty one",
    refused: parameter({ type: "STRING", enum: ["a", ""] }),
    message: problem(`${first}.parameters.properties[a].enum[1]`, "cannot be empty"),
    accepted: parameter({ type: "STRING", enum: ["a", " "] }),
  },
  {
    rule: rules.stringFormats,
    name: "uri",
    refused: parameter({ type: "STRING", format: "uri" }),
    message: problem(
      `${first}.parameters.properties[a].format`,
      "only 'enum' and 'date-time' are supported for STRING type",
    ),
    accepted: parameter({ type: "STRING", format: "date-time" }),
  },
];

export const schemaCases: readonly RefusalCase[] = [
  {
    rule: schemas.describesObject,
    name: "a text",
    refused: jsonSchema({ type: "string" }),
    message: problem(`${first}.parameters_json_schema`, "the schema must describe an object"),
    accepted: jsonSchema({ type: "object" }),
    literal: false,
  },
  {
    rule: schemas.noDialect,
    name: "$schema",
    refused: jsonSchema({ $schema: "http://json-schema.org/draft-07/schema#", type: "object" }),
    message: problem(`${first}.parameters_json_schema`, "$schema is not supported"),
    accepted: jsonSchema({ type: "object", additionalProperties: false }),
    literal: false,
  },
  {
    rule: schemas.referencesLead,
    name: "nowhere",
    refused: jsonSchema({
      type: "object",
      properties: { target_object: { anyOf: [{ type: "null" }, { $ref: "#/$defs/Gone" }] } },
    }),
    message: "reference to undefined schema at properties.target_object.anyOf.1",
    accepted: jsonSchema({
      type: "object",
      properties: { target_object: { anyOf: [{ type: "null" }, { $ref: "#/$defs/There" }] } },
      $defs: { There: { type: "string" } },
    }),
  },
  {
    rule: schemas.referencesAlone,
    name: "with a type",
    refused: jsonSchema({
      type: "object",
      properties: { a: { $ref: "#/$defs/Option", type: "string" } },
      $defs: { Option: { type: "string" } },
    }),
    message:
      "$ref 'Option' was set alongside unsupported fields. If a schema node has $ref set, then only description and default can be set alongside it",
    accepted: jsonSchema({
      type: "object",
      properties: { a: { $ref: "#/$defs/Option", description: "d" } },
      $defs: { Option: { type: "string" } },
    }),
  },
];
