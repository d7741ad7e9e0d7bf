import type { HostErrorCode } from "../../src/types/error.ts";
import type { JsonObject } from "../../src/types/json.ts";

/** A JSON Schema that knows the TypeScript type of what it describes. */
export interface Typed<T> {
  readonly json: Readonly<Record<string, unknown>>;
  /** Never there: it only carries the type. */
  readonly of?: T;
}

type TypeOf<S> = S extends Typed<infer T> ? T : never;
type Fields = Readonly<Record<string, Typed<unknown>>>;
type ObjectOf<Required, Optional> = {
  readonly [Name in keyof Required]: TypeOf<Required[Name]>;
} & { readonly [Name in keyof Optional]?: TypeOf<Optional[Name]> };

export const text: Typed<string> = { json: { type: "string" } };
export const number: Typed<number> = { json: { type: "number" } };
export const amount: Typed<number> = { json: { type: "integer", minimum: 0 } };
export const flag: Typed<boolean> = { json: { type: "boolean" } };
export const jsonObject: Typed<JsonObject> = { json: { type: "object" } };
/** Codes are added: a reader takes each one. */
export const errorCode: Typed<HostErrorCode> = { json: { type: "string", pattern: "^[a-z]+(_[a-z]+)*$" } };

export function literal<const T extends string | number | boolean>(value: T): Typed<T> {
  return { json: { const: value } };
}

export function oneWord<const T extends readonly string[]>(...words: T): Typed<T[number]> {
  return { json: { enum: words } };
}

export function list<T>(items: Typed<T>): Typed<readonly T[]> {
  return { json: { type: "array", items: items.json } };
}

export function nullable<T>(schema: Typed<T>): Typed<T | null> {
  return { json: { anyOf: [schema.json, { type: "null" }] } };
}

export function anyOf<S extends readonly Typed<unknown>[]>(...schemas: S): Typed<TypeOf<S[number]>> {
  return { json: { anyOf: schemas.map(({ json }) => json) } };
}

/** Further fields are allowed: later versions add some. */
export function object<Required extends Fields, Optional extends Fields = Record<never, never>>(
  required: Required,
  optional?: Optional,
): Typed<ObjectOf<Required, Optional>> {
  const fields: Fields = { ...required, ...optional };
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json]));
  return { json: { type: "object", properties, required: Object.keys(required) } };
}

/** A type with its intersections and interfaces written out, at every depth. */
type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [Name in keyof T]: Plain<T[Name]> }
    : T;

/** True only when both types are the same: no member of a union, no field and no `?` more or less. */
export type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
