import { isObject } from "../../src/util/own.ts";

/** The members of a value that should be an object. */
export const membersOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** The items of a value that should be an array. */
export const itemsOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
