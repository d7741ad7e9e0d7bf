import { isObject } from "../../util/own.ts";
import { countInputTokens } from "./count-tokens.ts";
import { type ModelFacts, modelFacts } from "./model-facts.ts";
import * as blocks from "./rules/blocks.ts";
import * as cache from "./rules/cache-control.ts";
import * as connector from "./rules/connector.ts";
import * as deferred from "./rules/deferred-tools.ts";
import * as fields from "./rules/fields.ts";
import * as images from "./rules/images.ts";
import * as limits from "./rules/limits.ts";
import * as pairing from "./rules/pairing.ts";
import type { Rule, RuleContext, WireObject } from "./rules/request-view.ts";
import * as server from "./rules/server-tools.ts";
import * as strict from "./rules/strict-tools.ts";
import * as system from "./rules/system-messages.ts";
import * as thinking from "./rules/thinking.ts";
import * as replay from "./rules/thinking-replay.ts";
import * as changes from "./rules/tool-changes.ts";
import * as choice from "./rules/tool-choice.ts";
import { dialect } from "./rules/tool-schema.ts";
import * as tools from "./rules/tools.ts";
import type { ThinkingMarks } from "./thinking-marks.ts";

/** Why the API would refuse a request: the HTTP status, its literal message, and facts in the form of `error.details`. */
export interface RequestRefusal {
  readonly status: number;
  readonly message: string;
  readonly details?: WireObject;
}

/** What is known beside the body of a request. */
export interface ValidationSettings {
  /** Values of the header `anthropic-beta`. */
  readonly betas?: readonly string[];
  /** The marks of the blocks of thinking that were given out; without it every such block is believed. */
  readonly marks?: Pick<ThinkingMarks, "find">;
  /** Ids of calls of tools of the API's own that were not offered when they were called. */
  readonly unoffered?: ReadonlySet<string>;
  /** Facts of the model that are not those of its name. */
  readonly model?: Partial<ModelFacts>;
  /** A rule that is not asked: tests see so that it is the one that refuses. */
  readonly without?: Rule;
}

/** The rules in the order in which they are asked: shapes first, then what needs the shapes. One to a line. */
export const rules: readonly Rule[] = [
  fields.requiredFields,
  fields.fieldTypes,
  limits.fewMessages,
  fields.messageShapes,
  fields.unknownFields,
  fields.blockTypes,
  fields.blockStrings,
  fields.resultShapes,
  tools.toolShapes,
  tools.toolNames,
  tools.uniqueToolNames,
  tools.rootCombinators,
  tools.propertyKeys,
  dialect,
  deferred.deferredWithoutCache,
  deferred.someToolLoaded,
  deferred.referencesKnown,
  strict.fewStrictTools,
  strict.fewOptionalParameters,
  strict.fewUnions,
  strict.strictObjectsClosed,
  strict.strictNumbersFree,
  connector.connectorAddresses,
  connector.connectorReferences,
  connector.connectorServers,
  choice.toolChoiceShapes,
  choice.chosenToolKnown,
  thinking.thinkingShape,
  replay.bindingNeedsBeta,
  thinking.thinkingTypes,
  thinking.thinkingBudget,
  choice.forcedWithoutThinking,
  limits.outputCap,
  system.systemMessagesSupported,
  system.systemNotFirst,
  system.systemFollows,
  system.systemPrecedes,
  system.systemBlocks,
  changes.definitionsNeedBeta,
  changes.changesKnown,
  changes.changesWithoutClash,
  blocks.ids,
  blocks.calledNames,
  blocks.inputs,
  images.imageShapes,
  images.imageTypes,
  images.imageSizes,
  images.imagesReadable,
  images.imageDimensions,
  images.dimensionsOfMany,
  images.fewImages,
  cache.cacheControlShapes,
  blocks.cacheOnEmptyText,
  blocks.emptyMessages,
  blocks.emptyText,
  blocks.errorResultText,
  blocks.errorResultContent,
  pairing.uniqueCallIds,
  pairing.singleResults,
  pairing.resultsBelong,
  pairing.callsAnswered,
  server.serverCallsAnswered,
  server.waitingToolsThere,
  pairing.noPrefill,
  replay.thinkingUnaltered,
  replay.signaturesValid,
  replay.thinkingBound,
  thinking.thinkingLeads,
  cache.fewBreakpoints,
  cache.breakpointOrder,
  cache.automaticLifetime,
  cache.automaticPlace,
  limits.promptFits,
  limits.answerFits,
];

/**
 * Checks a parsed request body by the rules of the Anthropic Messages API, as its documentation and its refusals in
 * the field state them.
 * @returns the first refusal, or null when the API would take the request.
 */
export function validateMessagesRequest(
  body: unknown,
  settings: ValidationSettings = {},
): RequestRefusal | null {
  if (!isObject(body)) return { status: 400, message: "Input should be a valid dictionary" };
  const context = ruleContext(body, settings);
  for (const rule of rules) {
    const refusal = rule === settings.without ? null : rule(body, context);
    if (refusal === null) continue;
    return typeof refusal === "string" ? { status: 400, message: refusal } : { status: 400, ...refusal };
  }
  return null;
}

/** What the rules are told beside the body. */
export function ruleContext(
  body: WireObject,
  { betas = [], marks, model, unoffered = new Set() }: ValidationSettings,
): RuleContext {
  return {
    unoffered,
    betas,
    model: { ...modelFacts(body.model), ...model },
    inputTokens: () => countInputTokens(body),
    issued: marks === undefined ? null : marks.find,
  };
}
