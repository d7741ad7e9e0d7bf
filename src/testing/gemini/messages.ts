/** What a field of one of the API's messages holds. */
export type FieldKind =
  | { readonly kind: "string" | "number" | "boolean" | "bytes" | "enum" | "any" | "struct" | "strings" }
  | { readonly kind: "message" | "list" | "map"; readonly message: MessageName };

export type MessageName =
  | "GenerateContentRequest"
  | "Content"
  | "Part"
  | "Blob"
  | "FunctionCall"
  | "FunctionResponse"
  | "FunctionResponsePart"
  | "FunctionResponseBlob"
  | "Tool"
  | "FunctionDeclaration"
  | "ToolConfig"
  | "FunctionCallingConfig"
  | "GenerationConfig"
  | "ThinkingConfig"
  | "Schema";

const of =
  (kind: Exclude<FieldKind["kind"], "message" | "list" | "map">) =>
  (names: string): Readonly<Record<string, FieldKind>> =>
    Object.fromEntries(names.split(" ").map((name) => [name, { kind }]));

const strings = of("string");
const numbers = of("number");
const booleans = of("boolean");
const enums = of("enum");
const anything = of("any");
const listsOfStrings = of("strings");
const message = (name: MessageName): FieldKind => ({ kind: "message", message: name });
const list = (name: MessageName): FieldKind => ({ kind: "list", message: name });

/**
 * The messages of a request and their fields, as the types of the official package name them for the Gemini API. What
 * no rule looks into is of the kind `any`.
 */
export const messages: Readonly<Record<MessageName, Readonly<Record<string, FieldKind>>>> = {
  GenerateContentRequest: {
    ...strings("model cachedContent"),
    ...anything("safetySettings serviceTier store labels"),
    contents: list("Content"),
    tools: list("Tool"),
    toolConfig: message("ToolConfig"),
    systemInstruction: message("Content"),
    generationConfig: message("GenerationConfig"),
  },
  Content: { ...strings("role"), parts: list("Part") },
  Part: {
    ...strings("text"),
    ...booleans("thought"),
    thoughtSignature: { kind: "bytes" },
    inlineData: message("Blob"),
    functionCall: message("FunctionCall"),
    functionResponse: message("FunctionResponse"),
    ...anything(
      "fileData executableCode codeExecutionResult videoMetadata partMetadata mediaResolution toolCall toolResponse " +
        "speechMetadata mediaProcessing audioTranscription",
    ),
  },
  Blob: { ...strings("mimeType"), data: { kind: "bytes" } },
  FunctionCall: { ...strings("id name"), args: { kind: "struct" } },
  FunctionResponse: {
    ...strings("id name"),
    ...booleans("willContinue"),
    ...enums("scheduling"),
    response: { kind: "struct" },
    parts: list("FunctionResponsePart"),
  },
  FunctionResponsePart: { inlineData: message("FunctionResponseBlob"), ...anything("fileData") },
  FunctionResponseBlob: { ...strings("mimeType displayName"), data: { kind: "bytes" } },
  Tool: {
    functionDeclarations: list("FunctionDeclaration"),
    ...anything(
      "googleSearch googleSearchRetrieval codeExecution urlContext computerUse fileSearch googleMaps mcpServers",
    ),
  },
  FunctionDeclaration: {
    ...strings("name description"),
    ...enums("behavior"),
    ...anything("parametersJsonSchema responseJsonSchema"),
    parameters: message("Schema"),
    response: message("Schema"),
  },
  ToolConfig: {
    functionCallingConfig: message("FunctionCallingConfig"),
    ...anything("retrievalConfig"),
    ...booleans("includeServerSideToolInvocations"),
  },
  FunctionCallingConfig: { ...enums("mode"), ...listsOfStrings("allowedFunctionNames") },
  GenerationConfig: {
    ...numbers(
      "candidateCount maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty logprobs",
    ),
    ...strings("responseMimeType"),
    ...booleans("responseLogprobs enableEnhancedCivicAnswers"),
    ...listsOfStrings("stopSequences"),
    ...anything(
      "responseJsonSchema responseModalities speechConfig imageConfig mediaResolution responseFormat " +
        "translationConfig audioTranscriptionConfig",
    ),
    responseSchema: message("Schema"),
    thinkingConfig: message("ThinkingConfig"),
  },
  ThinkingConfig: { ...booleans("includeThoughts"), ...numbers("thinkingBudget"), ...enums("thinkingLevel") },
  Schema: {
    ...enums("type"),
    ...strings("format title description pattern"),
    ...booleans("nullable"),
    ...numbers("minItems maxItems minProperties maxProperties minLength maxLength minimum maximum"),
    ...listsOfStrings("enum required propertyOrdering"),
    ...anything("default example"),
    items: message("Schema"),
    anyOf: list("Schema"),
    properties: { kind: "map", message: "Schema" },
  },
};
