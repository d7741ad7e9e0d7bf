import { endOfValue, membersOf, skipSpace } from "../schema/empty-optionals.ts";

/** A value inside a JSON text: where it begins, and the index behind its end. */
interface Slice {
  readonly start: number;
  readonly end: number;
}

/** Where the value of an object's member is; of several with one name the last, as `JSON.parse` reads them. The text is valid JSON. */
function memberSlice(json: string, object: Slice, name: string): Slice | null {
  if (json[object.start] !== "{") return null;
  const found = membersOf(json, object.start).members.findLast(({ key }) => key === name);
  return found === undefined ? null : { start: found.valueStart, end: found.end };
}

/** Where the items of an array are. The text is valid JSON. */
function itemSlices(json: string, array: Slice): Slice[] {
  const items: Slice[] = [];
  if (json[array.start] !== "[") return items;
  let at = skipSpace(json, array.start + 1);
  while (at < array.end && json[at] !== "]") {
    const end = endOfValue(json, at);
    items.push({ start: at, end });
    at = skipSpace(json, end);
    if (json[at] === ",") at = skipSpace(json, at + 1);
  }
  return items;
}

/** The raw texts of the parts of an answer's first candidate, in order. */
export function rawParts(payload: string): string[] {
  const root: Slice = { start: skipSpace(payload, 0), end: payload.length };
  const candidates = memberSlice(payload, root, "candidates");
  const [candidate] = candidates === null ? [] : itemSlices(payload, candidates);
  const content = candidate === undefined ? null : memberSlice(payload, candidate, "content");
  const parts = content === null ? null : memberSlice(payload, content, "parts");
  return parts === null ? [] : itemSlices(payload, parts).map(({ start, end }) => payload.slice(start, end));
}

/** A call as its part was written. */
export interface RawCall {
  /** The raw text of its arguments; empty when there are none. */
  readonly input: string;
  /** The text of the part with another id. */
  withId(id: string): string;
}

/** The call in the raw text of a part that holds one. */
export function rawCall(part: string): RawCall | null {
  const call = memberSlice(part, { start: skipSpace(part, 0), end: part.length }, "functionCall");
  if (call === null) return null;
  const input = memberSlice(part, call, "args");
  const given = memberSlice(part, call, "id");
  return {
    input: input === null ? "" : part.slice(input.start, input.end),
    withId: (id) =>
      given === null ? part : `${part.slice(0, given.start)}${JSON.stringify(id)}${part.slice(given.end)}`,
  };
}
