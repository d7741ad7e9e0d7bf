import type { Json } from "../types/json.ts";
import type { CatalogTool, ServerTool } from "../types/tool.ts";
import { pathChanges } from "./path-changes.ts";
import { wholeTexts, wordChanges } from "./word-changes.ts";

/** A tool as it was when a person allowed it, or when it was last used. */
export interface ToolBefore {
  /** Absent: it is not compared. */
  readonly configHash?: string;
  readonly definitionHash: string;
  /** Null where it was too large to keep. */
  readonly definition: ServerTool | null;
  /** Since when, ISO 8601; absent where nobody knows, or where it does not matter. */
  readonly at?: string;
}

/** What changed between what a tool was and what it is now: a sentence, and then a text for each part that is different. */
export function describeChanges(
  before: ToolBefore,
  now: CatalogTool,
  since: "it was allowed" | "it was first seen" = "it was allowed",
): readonly string[] {
  const sentences: string[] = [];
  if (before.configHash !== undefined && before.configHash !== now.configHash) {
    sentences.push("The configuration of its server changed since the tool was allowed.");
  }
  if (before.definitionHash === now.definitionHash) return sentences;
  const when = before.at === undefined || before.at === "" ? "" : ` on ${before.at.slice(0, 10)}`;
  const changes = before.definition === null ? null : definitionChanges(before.definition, now.definition);
  const unknown = changes === null ? " What it was is not known any more." : "";
  return [...sentences, `Its definition changed since ${since}${when}.${unknown}`, ...(changes ?? [])];
}

/** The difference of two definitions, a text for each part: escaped, bounded, `[-removed-]` and `{+added+}`. */
export function definitionChanges(before: ServerTool, now: ServerTool): readonly string[] {
  const texts = (["title", "description"] as const).flatMap((field) => {
    const [old, fresh] = [before[field], now[field]];
    if (old === fresh) return [];
    const change =
      old === undefined || fresh === undefined ? wholeTexts(old, fresh) : wordChanges(old, fresh);
    return [`${field}: ${change}`];
  });
  const values = (["inputSchema", "outputSchema"] as const).flatMap((field) =>
    pathChanges(field, before[field], now[field]),
  );
  const hints: readonly [Json, Json] = [{ ...before.annotations }, { ...now.annotations }];
  return [...texts, ...values, ...pathChanges("annotations", ...hints)];
}
