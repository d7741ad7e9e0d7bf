import { sha256Hex } from "../../util/hash.ts";

const acceptedId = /^[a-zA-Z0-9_-]{1,64}$/;
const acceptedName = /^[a-zA-Z0-9_-]{1,64}$/;
const refusedCharacters = /[^a-zA-Z0-9_-]+/g;

/** The id of a call as the API takes it: ids that another API minted may hold other characters. */
export function wireId(id: string): string {
  return acceptedId.test(id) ? id : `call_${sha256Hex(id).slice(0, 32)}`;
}

/** A tool's name in a stored call as the API takes it: a model may have made up any name. */
export function wireName(name: string): string {
  return acceptedName.test(name) ? name : name.replace(refusedCharacters, "_").slice(0, 64) || "unnamed";
}

/** An id that the API takes and that `taken` does not hold: the given one when it will do. */
export function uniqueCallId(id: string, taken: (id: string) => boolean): string {
  let unique = wireId(id);
  for (let count = 2; taken(unique); count += 1) unique = wireId(`${id}_${count}`);
  return unique;
}
