import type { Message } from "../../types/message.ts";
import type { ModelRequest } from "../../types/model.ts";
import { sha256Hex } from "../../util/hash.ts";

/** Most characters of a first message that count for its conversation's key. */
const keyCharacters = 4_000;

/**
 * Keys that bring requests with one prefix to the machine that has it in its cache: the same in every turn of a
 * conversation, however its list of tools grows.
 */
export function createCacheKeys(model: string): (request: ModelRequest) => string {
  const keys = new WeakMap<Message, string>();
  return ({ system, messages, snapshot }) => {
    const [first] = messages;
    const known = first === undefined ? undefined : keys.get(first);
    if (known !== undefined) return known;
    const said = first?.content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
    const aliases = snapshot.tools.map(({ alias }) => alias);
    const key = sha256Hex(JSON.stringify([model, system, aliases, said?.slice(0, keyCharacters)])).slice(
      0,
      32,
    );
    if (first !== undefined) keys.set(first, key);
    return key;
  };
}
