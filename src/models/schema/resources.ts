import type { Json, JsonObject } from "../../types/json.ts";
import { isObject, own } from "../../util/own.ts";
import { encodePointer, namedSchemaKeywords, schemaKeywords, schemaListKeywords } from "./context.ts";

/** Stands for the address of a schema that gives itself none; addresses beside it can be told from its own. */
const nowhere = "schema://tool/root";

/** The addresses of a schema's parts. */
interface Addresses {
  /** Pointers from the root, by the address that the parts give themselves. */
  readonly pointers: Map<string, string>;
  /** The keyword that gives one: `id` up to draft 4. */
  readonly id: "$id" | "id";
}

/**
 * The schema with every reference to an address in it (`$id`, `$anchor`, a pointer below a nested `$id`) written as the
 * pointer from the root that leads to the same part. References to other addresses stay as they are: they lead nowhere.
 */
export function withLocalReferences(schema: JsonObject): JsonObject {
  const oldest = typeof schema.$schema === "string" && /draft-0[34]/.test(schema.$schema);
  const addresses: Addresses = { pointers: new Map(), id: oldest ? "id" : "$id" };
  if (!hasAddresses(schema, addresses)) return schema;
  const base = baseOf(schema, nowhere, addresses);
  addresses.pointers.set(base, "#");
  collect(schema, "#", base, addresses);
  return rewrite(schema, base, addresses) as JsonObject;
}

function hasAddresses(value: Json, { id }: Addresses): boolean {
  const looksIn = (member: Json): boolean => {
    if (Array.isArray(member)) return member.some(looksIn);
    if (!isObject(member)) return false;
    const node = member as JsonObject;
    return [own(node, id), own(node, "$anchor")].some(isText) || Object.values(node).some(looksIn);
  };
  return looksIn(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The address that holds for a node and what is in it. Up to draft 7 one that begins with `#` was an anchor. */
function baseOf(node: JsonObject, base: string, { id }: Addresses): string {
  const given = own(node, id);
  if (!isText(given) || given.startsWith("#")) return base;
  return addressOf(given, base)?.split("#")[0] ?? base;
}

function addressOf(reference: string, base: string): string | null {
  try {
    return new URL(reference, base).href;
  } catch {
    return null;
  }
}

function collect(schema: Json, pointer: string, base: string, addresses: Addresses): void {
  if (!isObject(schema)) return;
  const node = schema as JsonObject;
  const inner = baseOf(node, base, addresses);
  const name = own(node, "$anchor");
  const id = own(node, addresses.id);
  const given = [inner];
  if (isText(name)) given.push(`${inner}#${name}`);
  if (isText(id) && id.startsWith("#")) given.push(inner + id);
  for (const address of given) {
    if (!addresses.pointers.has(address)) addresses.pointers.set(address, pointer);
  }
  for (const [place, member] of membersOf(node)) collect(member, `${pointer}/${place}`, inner, addresses);
}

/** The schemas in a node, each with its place in it. */
function membersOf(node: JsonObject): [string, Json][] {
  return Object.entries(node).flatMap(([keyword, value]): [string, Json][] => {
    if (Array.isArray(value)) {
      if (!schemaListKeywords.has(keyword) && keyword !== "items") return [];
      return value.map((member, index) => [`${keyword}/${index}`, member]);
    }
    if (!isObject(value)) return [];
    if (schemaKeywords.has(keyword)) return [[keyword, value as JsonObject]];
    if (!namedSchemaKeywords.has(keyword)) return [];
    return Object.entries(value as JsonObject).flatMap(([name, member]): [string, Json][] => {
      const token = encodePointer(name);
      return token === null ? [] : [[`${keyword}/${token}`, member]];
    });
  });
}

function rewrite(schema: Json, base: string, addresses: Addresses): Json {
  if (!isObject(schema)) return schema;
  const node = schema as JsonObject;
  const inner = baseOf(node, base, addresses);
  const entries = Object.entries(node).map(([keyword, value]): [string, Json] => {
    if (keyword === "$ref" && typeof value === "string")
      return [keyword, localReference(value, inner, addresses)];
    if (Array.isArray(value)) {
      const isList = schemaListKeywords.has(keyword) || keyword === "items";
      return [keyword, isList ? value.map((member) => rewrite(member, inner, addresses)) : value];
    }
    if (!isObject(value)) return [keyword, value];
    if (schemaKeywords.has(keyword)) return [keyword, rewrite(value as JsonObject, inner, addresses)];
    if (!namedSchemaKeywords.has(keyword)) return [keyword, value];
    const named = Object.entries(value as JsonObject).map(([name, member]) => [
      name,
      rewrite(member, inner, addresses),
    ]);
    return [keyword, Object.fromEntries(named) as JsonObject];
  });
  return Object.fromEntries(entries);
}

function localReference(reference: string, base: string, { pointers }: Addresses): string {
  const address = reference.startsWith("#") ? `${base}${reference}` : addressOf(reference, base);
  if (address === null) return reference;
  const [document = "", fragment = ""] = address.split("#");
  if (fragment !== "" && !fragment.startsWith("/")) return pointers.get(address) ?? reference;
  const pointer = pointers.get(document);
  return pointer === undefined ? reference : `${pointer}${fragment}`;
}
