import { isObject } from "../../util/own.ts";
import { modelFacts } from "./model-facts.ts";
import { parseMessages } from "./parse-messages.ts";
import * as contents from "./rules/contents.ts";
import * as fields from "./rules/fields.ts";
import * as schemas from "./rules/json-schema.ts";
import * as media from "./rules/media.ts";
import * as parameters from "./rules/parameters.ts";
import type { GeminiRefusal, GeminiRequest, GeminiRule } from "./rules/request-view.ts";
import * as signatures from "./rules/thought-signatures.ts";
import * as tools from "./rules/tools.ts";
import * as turns from "./rules/turns.ts";
import { signerOf } from "./signatures.ts";

/** The rules in the order in which they are asked: shapes first, then what needs the shapes. */
export const rules: readonly GeminiRule[] = [
  fields.unknownFields,
  fields.schemaKeywords,
  fields.singleValues,
  fields.fieldTypes,
  fields.tokenLimit,
  fields.thinkingModels,
  contents.someContents,
  contents.roles,
  contents.someParts,
  contents.heldData,
  contents.singleData,
  contents.systemText,
  tools.functionNamePatterns,
  tools.uniqueNames,
  tools.fewFunctions,
  tools.oneParameterForm,
  tools.callingNeedsFunctions,
  tools.allowedNames,
  parameters.knownTypes,
  parameters.objectRoot,
  parameters.typedNodes,
  parameters.anyOfAlone,
  parameters.propertiesOfObjects,
  parameters.objectProperties,
  parameters.parameterNames,
  parameters.requiredDefined,
  parameters.arrayItems,
  parameters.itemsOfArrays,
  parameters.enumsOfStrings,
  parameters.enumValues,
  parameters.stringFormats,
  schemas.describesObject,
  schemas.noDialect,
  schemas.referencesLead,
  schemas.referencesAlone,
  turns.functionNames,
  turns.callTurns,
  turns.responseTurns,
  turns.responseCounts,
  turns.responseMatches,
  turns.responseReferences,
  signatures.callsSigned,
  signatures.signaturesSound,
  media.imageMediaTypes,
  media.base64Data,
  media.someData,
  media.images,
  media.responseMedia,
];

/** How a request is checked. */
export interface GeminiValidationSettings {
  /** The model that is asked. Default: `gemini-3-pro`. */
  readonly model?: string;
  /** The model that a thought signature is from. Default: those that any simulator gave out are known. */
  signerOf?(signature: string): string | null;
  /** A rule that is not asked: tests see so that it is the one that refuses. */
  readonly without?: GeminiRule;
}

/**
 * Checks a parsed request body by the rules of `generateContent`, as its documentation and its refusals in the field
 * state them.
 * @returns the first refusal, or null when the API would take the request.
 */
export function validateGeminiRequest(
  body: unknown,
  { model = "gemini-3-pro", signerOf: signer = signerOf, without }: GeminiValidationSettings = {},
): GeminiRefusal | null {
  if (!isObject(body)) return { message: "Invalid JSON payload received. Unexpected token." };
  const request: GeminiRequest = {
    ...parseMessages(body),
    model,
    facts: modelFacts(model),
    signerOf: signer,
  };
  for (const rule of rules) {
    const refusal = rule === without ? null : rule(request);
    if (refusal !== null) return refusal;
  }
  return null;
}
