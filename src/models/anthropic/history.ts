import type { Message } from "../../types/message.ts";
import { createImageGate, type ImageGate } from "./image-gate.ts";
import { type EncodedMessage, encodeMessage } from "./message.ts";

/** A conversation in its wire form. */
export interface EncodedHistory {
  /** Everything before the second newest user message, in few pieces that never change. */
  readonly settled: readonly Uint8Array[];
  /** The messages after it: some of them carry cache breakpoints. */
  readonly recent: readonly EncodedMessage[];
  /** Ids of every call, as they are sent. */
  readonly callIds: ReadonlySet<string>;
}

/** What is kept of a conversation between two requests. */
interface History {
  readonly messages: Message[];
  readonly settled: Uint8Array[];
  readonly recent: EncodedMessage[];
  readonly callIds: Set<string>;
  images: ImageGate;
}

/**
 * Encodes conversations that grow: each message is serialised once (again when images have to be left out), and what is old is joined into pieces of growing
 * size, so that a turn costs what is new in it. A conversation is known by its messages' identity; one whose past was
 * changed is encoded anew.
 */
export function createHistoryEncoder(model: string): (messages: readonly Message[]) => EncodedHistory {
  const known = new WeakMap<Message, History>();
  return (messages) => {
    const [first] = messages;
    const found = first === undefined ? undefined : known.get(first);
    const history = found !== undefined && continues(messages, found) ? found : emptyHistory();
    if (first !== undefined) known.set(first, history);
    for (let index = history.messages.length; index < messages.length; index += 1) {
      const message = messages[index];
      if (message !== undefined) append(history, message, model);
    }
    settle(history);
    return { settled: [...history.settled], recent: [...history.recent], callIds: history.callIds };
  };
}

function emptyHistory(): History {
  return { messages: [], settled: [], recent: [], callIds: new Set(), images: createImageGate() };
}

function continues(messages: readonly Message[], { messages: past }: History): boolean {
  if (messages.length < past.length) return false;
  for (let index = past.length - 1; index >= 0; index -= 1) if (messages[index] !== past[index]) return false;
  return true;
}

function append(history: History, message: Message, model: string): void {
  history.messages.push(message);
  const encoded = encodeMessage(message, model, history.images);
  if (encoded === null) return;
  history.recent.push(encoded);
  for (const id of encoded.callIds) history.callIds.add(id);
  const tighter = history.images.tighter();
  if (tighter !== null) encodeAnew(history, tighter, model);
}

/** Encodes everything so far with fewer images. */
function encodeAnew(history: History, images: ImageGate, model: string): void {
  const messages = history.messages.splice(0);
  history.settled.length = 0;
  history.recent.length = 0;
  history.images = images;
  for (const message of messages) append(history, message, model);
}

/** Moves what can carry no breakpoint any more to the settled pieces. */
function settle({ recent, settled }: History): void {
  const users = recent.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  for (const { bytes } of recent.splice(0, users.at(-2) ?? 0)) {
    settled.push(bytes);
    // Like a binary counter: every byte is copied a logarithmic number of times in all.
    for (let last = settled.at(-1); settled.length > 1 && last !== undefined; last = settled.at(-1)) {
      const before = settled.at(-2);
      if (before === undefined || before.length > last.length * 2) break;
      settled.splice(-2, 2, joined([before, last]));
    }
  }
}

/** The bytes of all arrays in one. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
