import { isObject } from "../../util/own.ts";
import * as calls from "./rules/calls.ts";
import * as fields from "./rules/fields.ts";
import * as messages from "./rules/messages.ts";
import * as others from "./rules/other-servers.ts";
import * as pairing from "./rules/pairing.ts";
import type { ChatRule, RuleRefusal } from "./rules/request-view.ts";
import * as schemas from "./rules/tool-schema.ts";
import * as tools from "./rules/tools.ts";
import type { ChatServerKind } from "./server-kind.ts";

/** The rules in the order in which they are asked: shapes first, then what needs the shapes. */
export const chatRules: readonly ChatRule[] = [
  fields.requiredFields,
  fields.fieldTypes,
  fields.mistralFields,
  fields.unknownFields,
  fields.someMessages,
  messages.messageRoles,
  fields.unknownMessageFields,
  fields.streamOptions,
  fields.tokenLimit,
  fields.toolFieldsNeedTools,
  tools.someTools,
  tools.fewTools,
  tools.toolShapes,
  tools.shortNames,
  tools.namePatterns,
  tools.shortDescriptions,
  schemas.rootType,
  schemas.rootCombinators,
  schemas.objectProperties,
  schemas.arrayItems,
  schemas.schemaSound,
  schemas.strictSchemas,
  others.grammarSize,
  others.grammarKeywords,
  others.grammarTypes,
  messages.messageContent,
  messages.contentParts,
  messages.imageUrls,
  calls.someCalls,
  calls.callShapes,
  calls.argumentsAreText,
  calls.shortIds,
  calls.calledNames,
  calls.argumentsAreObjects,
  others.mistralIds,
  pairing.resultsNameCalls,
  pairing.noOrphans,
  pairing.resultsBelong,
  pairing.callsAnswered,
  others.mistralOrder,
  others.deepseekReasoning,
  others.deepseekImages,
];

/** How a request is checked. */
export interface ChatValidationSettings {
  /** Whose rules. Default: OpenAI's own. */
  readonly kind?: ChatServerKind;
  /** A rule that is not asked: tests see so that it is the one that refuses. */
  readonly without?: ChatRule;
}

/**
 * Checks a parsed request body by the rules of Chat Completions, as its documentation and its refusals in the field
 * state them.
 * @returns the first refusal, or null when the server would take the request.
 */
export function validateChatRequest(
  body: unknown,
  { kind = "openai", without }: ChatValidationSettings = {},
): RuleRefusal | null {
  if (!isObject(body)) return { message: "Invalid type for 'body': expected an object." };
  for (const rule of chatRules) {
    const refusal = rule === without ? null : rule(body, kind);
    if (refusal !== null) return refusal;
  }
  return null;
}
