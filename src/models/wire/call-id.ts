import { sha256Hex } from "../../util/hash.ts";

/** The ids and names that an API takes in a stored call. */
export interface CallIds {
  /** The id of a call as the API takes it: one that another API minted may hold other characters. Always the same for the same id. */
  wireId(id: string): string;
  /** An id that the API takes and that `taken` does not hold: the given one when it will do. */
  unique(id: string, taken: (id: string) => boolean): string;
}

const acceptedName = /^[a-zA-Z0-9_-]{1,64}$/;
/** Runs of them: `xx*` is `x+`, for which V8 may throw a RangeError in a huge text. */
const refusedCharacters = /[^a-zA-Z0-9_-][^a-zA-Z0-9_-]*/g;

/** A tool's name in a stored call as the APIs take it: a model may have made up any name. */
export function wireName(name: string): string {
  return acceptedName.test(name) ? name : name.replace(refusedCharacters, "_").slice(0, 64) || "unnamed";
}

/**
 * @param accepted the ids that the API takes as they are.
 * @param mint an accepted id for any text, the same for the same text; other texts give other ids.
 */
function createCallIds(accepted: RegExp, mint: (id: string) => string): CallIds {
  const wireId = (id: string): string => (accepted.test(id) ? id : mint(id));
  return {
    wireId,
    unique(id, taken) {
      let unique = wireId(id);
      for (let count = 2; taken(unique); count += 1) unique = wireId(`${id}_${count}`);
      return unique;
    },
  };
}

/** Ids of letters, digits, `_` and `-`, at most 64: what Anthropic's API takes. */
export const plainCallIds: CallIds = createCallIds(
  /^[a-zA-Z0-9_-]{1,64}$/,
  (id) => `call_${sha256Hex(id).slice(0, 32)}`,
);

/** The same, at most 40: what OpenAI's Chat Completions take (`string_above_max_length`). */
export const shortCallIds: CallIds = createCallIds(
  /^[a-zA-Z0-9_-]{1,40}$/,
  (id) => `call_${sha256Hex(id).slice(0, 32)}`,
);

const alphanumerics = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Ids of exactly nine letters and digits: what Mistral's API takes. */
export const nineCharacterCallIds: CallIds = createCallIds(/^[a-zA-Z0-9]{9}$/, (id) => {
  const digits = sha256Hex(id);
  return Array.from({ length: 9 }, (_, index) => {
    const value = Number.parseInt(digits.slice(index * 4, index * 4 + 4), 16);
    return alphanumerics[value % alphanumerics.length];
  }).join("");
});
