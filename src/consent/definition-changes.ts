import type { GrantedTool } from "../types/grants.ts";
import type { Json } from "../types/json.ts";
import type { CatalogTool, ServerTool } from "../types/tool.ts";
import { isObject, own } from "../util/own.ts";
import { stableJson } from "../util/stable-json.ts";
import { visibleLine } from "../util/visible.ts";

const longestText = 200;

/** What changed between the tool that was allowed and the tool that is called now, in readable sentences. */
export function describeChanges(before: GrantedTool, now: CatalogTool): readonly string[] {
  const sentences: string[] = [];
  if (before.configHash !== now.configHash) {
    sentences.push("The configuration of its server changed since the tool was allowed.");
  }
  if (before.definitionHash !== now.definitionHash) {
    const changes = before.definition === null ? [] : fieldChanges(before.definition, now.definition);
    const named = changes.length > 0 ? `: ${changes.join("; ")}` : "";
    sentences.push(`Its definition changed since it was allowed${named}.`);
  }
  return sentences;
}

function fieldChanges(before: ServerTool, now: ServerTool): string[] {
  const changes: string[] = [];
  for (const field of ["title", "description"] as const) {
    if (before[field] !== now[field]) {
      changes.push(`${field} was ${shown(before[field])}, is ${shown(now[field])}`);
    }
  }
  for (const field of ["inputSchema", "outputSchema"] as const) {
    if (differ(before[field], now[field]))
      changes.push(`${field}${propertyChanges(before[field], now[field])}`);
  }
  const annotations = memberChanges({ ...before.annotations }, { ...now.annotations });
  if (annotations.length > 0) changes.push(`annotations (${annotations.join(", ")})`);
  return changes;
}

function shown(text: string | undefined): string {
  if (text === undefined) return "absent";
  const more = text.length - longestText;
  const cut = more > 0 ? `${text.slice(0, longestText)}… ${more} more characters` : text;
  return `"${visibleLine(cut)}"`;
}

function differ(before: Json | undefined, now: Json | undefined): boolean {
  if (before === undefined || now === undefined) return before !== now;
  return stableJson(before) !== stableJson(now);
}

function propertyChanges(before: Json | undefined, now: Json | undefined): string {
  if (before === undefined) return " was added";
  if (now === undefined) return " was removed";
  const names = memberChanges(properties(before), properties(now));
  return names.length > 0 ? ` (${names.slice(0, 10).join(", ")})` : "";
}

function properties(schema: Json): Readonly<Record<string, Json>> {
  const found = isObject(schema) ? own(schema, "properties") : undefined;
  return isObject(found) ? found : {};
}

function memberChanges(
  before: Readonly<Record<string, Json>>,
  now: Readonly<Record<string, Json>>,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const old = own(before, name);
    const fresh = own(now, name);
    if (!differ(old, fresh)) return [];
    const verb = old === undefined ? "added" : fresh === undefined ? "removed" : "changed";
    return [`${visibleLine(name.slice(0, 80))} ${verb}`];
  });
}
