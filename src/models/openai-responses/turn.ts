import type { AssistantMessage } from "../../types/message.ts";
import { textOfJson } from "../../util/json-text.ts";
import { isObject } from "../../util/own.ts";
import { wireName } from "../wire/call-id.ts";
import { objectJson } from "../wire/json-bytes.ts";

/** The API's name in the turns that it wrote. */
export const responsesApi = "openai-responses";

/** An item of an answer, in the API's form. */
export type OutputItem = Readonly<Record<string, unknown>>;

/** The items of a turn that this model wrote, or null when another one did. */
export function nativeItems({ native }: AssistantMessage, model: string): readonly OutputItem[] | null {
  if (native === undefined || native.api !== responsesApi || native.model !== model) return null;
  const items: unknown = JSON.parse(native.json);
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** What makes the items of an answer fit to be sent back. */
export interface ReplayNames {
  /** The id of the call of an item, unique in the conversation. */
  callId(item: OutputItem): string;
  /** Whether an item's id is in the conversation already. */
  taken(id: string): boolean;
}

/** Ids as the API takes them back; a separator at the end is refused with words about other characters. */
const itemId = /^(?:fc|msg|rs)_[A-Za-z0-9_-]{0,59}[A-Za-z0-9]$/;

/** Beginnings of the ids of the items that a turn is made of. */
const idPrefixes: Readonly<Record<string, string>> = {
  function_call: "fc_",
  message: "msg_",
  reasoning: "rs_",
};

/**
 * The items of an answer as they go back to the model: as they came, but for what the API would refuse. Reasoning goes
 * back directly in front of the item that it led to, and only with its encrypted content, for nothing is stored; an
 * item whose reasoning is not there, or whose id the API would not take, goes back without its id, by which the API
 * would ask for it. Arguments that are no JSON object go back as `{}`.
 */
export function replayableItems(items: readonly OutputItem[], names: ReplayNames): OutputItem[] {
  const seen = new Set<string>();
  const keepsId = ({ type, id }: OutputItem): boolean => {
    const prefix = idPrefixes[textOfJson(type)];
    if (typeof id !== "string" || seen.has(id) || names.taken(id)) return false;
    if (prefix !== undefined && !(itemId.test(id) && id.startsWith(prefix))) return false;
    seen.add(id);
    return true;
  };
  const sent = items.filter(isSent);
  const found: OutputItem[] = [];
  let detached = false;
  for (const [index, item] of sent.entries()) {
    if (item.type === "reasoning") {
      const follower = sent[index + 1];
      const whole = typeof item.encrypted_content === "string" && item.encrypted_content !== "";
      if (!whole || follower === undefined || follower.type === "reasoning") {
        detached = true;
        continue;
      }
      detached = !keepsId(item);
      found.push({ ...(detached ? withoutId(item) : item), summary: item.summary ?? [] });
      continue;
    }
    const call =
      item.type === "function_call"
        ? {
            call_id: names.callId(item),
            name: wireName(textOfJson(item.name ?? "")),
            arguments: objectJson(textOfJson(item.arguments ?? "")),
          }
        : {};
    const kept = keepsId(item) && !detached;
    found.push({ ...(kept ? item : withoutId(item)), ...call });
    detached = false;
  }
  return found;
}

/** Whether there is something in an item; the API mints empty messages and takes none. */
function isSent(item: OutputItem): boolean {
  if (item.type !== "message") return typeof item.type === "string";
  return Array.isArray(item.content) && item.content.filter(isObject).some(hasWords);
}

function hasWords({ text, refusal }: OutputItem): boolean {
  return [text, refusal].some((words) => typeof words === "string" && words.trim() !== "");
}

function withoutId({ id: _, ...rest }: OutputItem): OutputItem {
  return rest;
}
