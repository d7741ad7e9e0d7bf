import type { ArgumentCondition } from "../types/grants.ts";
import type { Json, JsonObject } from "../types/json.ts";
import { createConditionCheck, originOf, valueAt } from "./argument-conditions.ts";
import { plainPath } from "./plain-path.ts";

interface Conditional {
  readonly conditions?: readonly ArgumentCondition[];
}

/** Grants that look at one argument in one way, by what it must be. */
interface Lookup<T> {
  readonly first: ArgumentCondition;
  readonly byTarget: Map<unknown, T[]>;
}

/** Finds the grants whose conditions a call meets without a look at each of them: by what their first one asks. */
export function indexConditions<T extends Conditional>(
  grants: readonly T[],
): (values: JsonObject) => readonly T[] {
  const lookups = new Map<string, Lookup<T>>();
  for (const grant of grants) {
    const [first] = grant.conditions ?? [];
    if (first === undefined) continue;
    const key = JSON.stringify([first.type, first.argument]);
    const lookup = lookups.get(key) ?? { first, byTarget: new Map<unknown, T[]>() };
    lookups.set(key, lookup);
    const target = targetOf(first);
    const others = lookup.byTarget.get(target);
    if (others === undefined) lookup.byTarget.set(target, [grant]);
    else others.push(grant);
  }
  return (values) => {
    const candidates = [...lookups.values()].flatMap(({ first, byTarget }) =>
      targetsIn(first, valueAt(values, first.argument)).flatMap((target) => byTarget.get(target) ?? []),
    );
    if (candidates.length === 0) return candidates;
    const meets = createConditionCheck(values);
    return candidates.filter(({ conditions }) => conditions !== undefined && meets(conditions));
  };
}

function targetOf(condition: ArgumentCondition): unknown {
  if (condition.type === "under") return plainPath(condition.folder);
  return condition.type === "host" ? condition.origin : condition.value;
}

/** All that a condition of this kind may ask so that the value meets it. */
function targetsIn({ type }: ArgumentCondition, value: Json | undefined): readonly unknown[] {
  if (type === "equals") return [value];
  if (typeof value !== "string") return [];
  return type === "host" ? [originOf(value)] : foldersOf(plainPath(value));
}

function foldersOf(path: string | null): string[] {
  const folders: string[] = [];
  if (path === null) return folders;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
    folders.push(path.slice(0, at + 1));
  return folders;
}
