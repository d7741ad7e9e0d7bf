import { isObject } from "../../util/own.ts";
import type { RuleRefusal } from "../openai-chat/rules/request-view.ts";
import type { IssuedItems } from "./issued-items.ts";
import * as calls from "./rules/calls.ts";
import * as content from "./rules/content.ts";
import * as fields from "./rules/fields.ts";
import * as ids from "./rules/ids.ts";
import * as items from "./rules/items.ts";
import * as reasoning from "./rules/reasoning.ts";
import type { ResponsesRule } from "./rules/request-view.ts";
import * as state from "./rules/state.ts";
import * as tools from "./rules/tools.ts";

/** The rules in the order in which they are asked: shapes first, then what needs the shapes. One to a line. */
export const rules: readonly ResponsesRule[] = [
  fields.requiredModel,
  fields.modelIsText,
  fields.requiredInput,
  fields.movedFields,
  fields.unknownFields,
  fields.inputType,
  fields.itemsAreObjects,
  items.knownTypes,
  items.messageRoles,
  items.requiredMembers,
  items.unknownMembers,
  content.contentType,
  content.knownParts,
  content.partsOfRoles,
  content.outputType,
  content.partsOfOutputs,
  content.partTexts,
  content.shortOutputs,
  content.imageUrls,
  calls.callTexts,
  calls.callIds,
  calls.calledNames,
  ids.idTexts,
  ids.shortItemIds,
  ids.idCharacters,
  ids.idPrefixes,
  fields.includeValues,
  fields.toolsAreList,
  tools.fewTools,
  tools.toolShapes,
  tools.unknownMembers,
  tools.strictIsSwitch,
  tools.shortNames,
  tools.namePatterns,
  tools.rootType,
  tools.rootCombinators,
  tools.objectProperties,
  tools.arrayItems,
  tools.schemaSound,
  tools.strictSchemas,
  fields.switches,
  fields.tokenLimit,
  fields.shortCacheKey,
  fields.instructionsAreText,
  state.previousResponse,
  state.someInput,
  state.encryptedReasoning,
  state.reasoningSettings,
  state.samplingSettings,
  ids.uniqueItems,
  reasoning.itemsAreWhole,
  reasoning.encryptedContent,
  reasoning.reasoningLeads,
  reasoning.reasoningThere,
  calls.outputsHaveCalls,
  calls.callsAnswered,
];

/** How a request is checked. */
export interface ResponsesValidationSettings {
  /** The items that were given out; without them every item is believed. */
  readonly issued?: Pick<IssuedItems, "knows" | "reasoningOf">;
  /** A rule that is not asked: tests see so that it is the one that refuses. */
  readonly without?: ResponsesRule;
}

/**
 * Checks a parsed request body by the rules of the Responses API, as its documentation and its refusals in the field
 * state them, for an account that stores nothing.
 * @returns the first refusal, or null when the API would take the request.
 */
export function validateResponsesRequest(
  body: unknown,
  { issued, without }: ResponsesValidationSettings = {},
): RuleRefusal | null {
  if (!isObject(body)) return { message: "Invalid type for 'body': expected an object." };
  for (const rule of rules) {
    const refusal = rule === without ? null : rule(body, { issued: issued ?? null });
    if (refusal !== null) return refusal;
  }
  return null;
}
