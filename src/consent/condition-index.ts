import type { ArgumentCondition } from "../types/grants.ts";
import type { Json, JsonObject } from "../types/json.ts";
import { createConditionCheck, originOf, valueAt } from "./argument-conditions.ts";
import { isOnly, type NamedCondition } from "./only-condition.ts";
import { plainPath } from "./plain-path.ts";

interface Conditional {
  readonly conditions?: readonly ArgumentCondition[];
}

/** Grants that look at one argument in one way, by what it must be. */
interface Lookup<T> {
  readonly first: NamedCondition;
  readonly byTarget: Map<unknown, Candidate<T>[]>;
}

interface Candidate<T> {
  readonly grant: T;
  readonly conditions: readonly ArgumentCondition[];
}

/** Finds the grants whose conditions a call meets without a look at each of them: by what their first one asks. */
export function indexConditions<T extends Conditional>(
  grants: readonly T[],
): (values: JsonObject) => readonly T[] {
  const lookups = new Map<string, Lookup<T>>();
  for (const grant of grants) {
    const { conditions } = grant;
    const first = conditions?.find((one): one is NamedCondition => !isOnly(one));
    if (conditions === undefined || first === undefined) continue;
    const key = JSON.stringify([first.type, first.argument]);
    const lookup = lookups.get(key) ?? { first, byTarget: new Map<unknown, Candidate<T>[]>() };
    lookups.set(key, lookup);
    const target = targetOf(first);
    const others = lookup.byTarget.get(target);
    if (others === undefined) lookup.byTarget.set(target, [{ grant, conditions }]);
    else others.push({ grant, conditions });
  }
  return (values) => {
    const meets = createConditionCheck(values);
    return [...lookups.values()]
      .flatMap(({ first, byTarget }) =>
        targetsIn(first, valueAt(values, first.argument)).flatMap((target) => byTarget.get(target) ?? []),
      )
      .flatMap(({ grant, conditions }) => (meets(conditions) ? [grant] : []));
  };
}

function targetOf(condition: NamedCondition): unknown {
  if (condition.type === "under") return plainPath(condition.folder);
  return condition.type === "host" ? condition.origin : condition.value;
}

/** All that a condition of this kind may ask so that the value meets it. */
function targetsIn({ type }: NamedCondition, value: Json | undefined): readonly unknown[] {
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
