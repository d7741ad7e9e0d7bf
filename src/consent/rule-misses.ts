import type { ServerTool, ServerToolList } from "../types/tool.ts";
import { isObject, own } from "../util/own.ts";
import { isAboutArgument } from "./condition-words.ts";
import { exactText } from "./exact-text.ts";
import { matchesGlob } from "./glob.ts";
import { type Rule, shownRule } from "./rules.ts";

/** What may say of an object that it has more members than `properties` names. */
const moreMembers = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "patternProperties",
  "dependentSchemas",
];

/**
 * A sentence for each rule that can match nothing of a server that it names: the server has no such tool, or none of
 * its tools that the rule names has such an argument. Rules for servers by a pattern may be for others.
 */
export function ruleMisses(rules: readonly Rule[], lists: readonly ServerToolList[]): readonly string[] {
  const byServer = new Map(lists.map((list) => [list.server, list]));
  return rules.flatMap((rule) => {
    const list = rule.server.exact === null ? undefined : byServer.get(rule.server.exact);
    const miss = list === undefined ? null : missOf(rule, list);
    return miss === null ? [] : [`The rule \`${shownRule(rule.text)}\` ${miss}.`];
  });
}

function missOf(rule: Rule, { tools, quarantined }: ServerToolList): string | null {
  // Reads of resources and prompts are decided by the names of their methods.
  if (rule.tool.exact?.includes("/")) return null;
  const named = tools.filter(({ name }) => matchesGlob(rule.tool, name));
  if (named.length === 0) {
    const isKept = quarantined.some(({ tool }) => matchesGlob(rule.tool, tool));
    return isKept ? null : "names no tool that its server has, and matches nothing";
  }
  const missing = rule.conditions.find(
    (condition) =>
      isAboutArgument(condition) && !named.some((tool) => mayHave(tool, condition.path[0] ?? "")),
  );
  if (missing === undefined) return null;
  return `matches nothing: no tool that it names has the argument of \`${exactText(missing.text)}\``;
}

function mayHave({ inputSchema }: ServerTool, argument: string): boolean {
  const { properties, additionalProperties } = inputSchema;
  if (!isObject(properties) || moreMembers.some((keyword) => Object.hasOwn(inputSchema, keyword)))
    return true;
  return (
    own(properties, argument) !== undefined || isObject(additionalProperties) || additionalProperties === true
  );
}
