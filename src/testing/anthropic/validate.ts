import { isObject } from "../../util/own.ts";
import * as blocks from "./rules/blocks.ts";
import { cacheControlShapes, fewBreakpoints } from "./rules/cache-control.ts";
import * as fields from "./rules/fields.ts";
import { images } from "./rules/images.ts";
import * as pairing from "./rules/pairing.ts";
import type { Rule } from "./rules/request-view.ts";
import { dialect } from "./rules/tool-schema.ts";
import * as tools from "./rules/tools.ts";

/** Why the API would refuse a request: the HTTP status and its literal message. */
export interface RequestRefusal {
  readonly status: number;
  readonly message: string;
}

/** The rules in the order in which they are asked: shapes first, then what needs the shapes. */
const rules: readonly Rule[] = [
  fields.requiredFields,
  fields.fieldTypes,
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
  blocks.ids,
  blocks.calledNames,
  blocks.inputs,
  images,
  cacheControlShapes,
  blocks.cacheOnEmptyText,
  blocks.emptyMessages,
  blocks.emptyText,
  blocks.errorResultText,
  blocks.errorResultContent,
  pairing.uniqueCallIds,
  pairing.singleResults,
  pairing.resultsBelong,
  pairing.callsAnswered,
  pairing.noPrefill,
  fewBreakpoints,
];

/**
 * Checks a parsed request body by the rules of the Anthropic Messages API, as its documentation and its refusals in
 * the field state them.
 * @returns the first refusal, or null when the API would take the request.
 */
export function validateMessagesRequest(body: unknown): RequestRefusal | null {
  if (!isObject(body)) return { status: 400, message: "Input should be a valid dictionary" };
  for (const rule of rules) {
    const message = rule(body);
    if (message !== null) return { status: 400, message };
  }
  return null;
}
