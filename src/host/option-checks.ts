import { didYouMean } from "../util/closest.ts";
import { isObject, own } from "../util/own.ts";
import { visibleLine } from "../util/visible.ts";

/** What is wrong with the value of an option, in a sentence with its name; null for nothing. */
export type Check = (value: unknown, name: string) => string | null;

export type Checks<T> = Readonly<Record<keyof T, Check>>;

export function must(what: string, holds: (value: unknown) => boolean): Check {
  return (value, name) => (holds(value) ? null : `\`${name}\` must be ${what}.`);
}

export const isText = (value: unknown): boolean => typeof value === "string";
export const isFunction = (value: unknown): boolean => typeof value === "function";
export const isModel = (value: unknown): boolean =>
  isObject(value) && isObject(value.capabilities) && isFunction(value.stream);

export const text: Check = must("a text", isText);
export const list: Check = must("a list", Array.isArray);
export const flag: Check = must("true or false", (value) => typeof value === "boolean");
export const callback: Check = must("a function", isFunction);
export const countFromOne: Check = must(
  "a whole number from 1 on",
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
);

export function oneOf(...words: readonly string[]): Check {
  const listed = words.map((word) => JSON.stringify(word)).join(", ");
  return must(`one of ${listed}`, (value) => words.some((word) => word === value));
}

/** The first member that cannot work. One that is undefined is not given. */
export function problemIn(
  value: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
  prefix: string,
): string | null {
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const check = own(checks, key);
    const name = visibleLine(`${prefix}${key}`.slice(0, 100));
    const problem =
      check === undefined
        ? `There is no option \`${name}\`.${didYouMean(key, Object.keys(checks), prefix)}`
        : check(member, name);
    if (problem !== null) return problem;
  }
  return null;
}
