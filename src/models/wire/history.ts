import type { Message } from "../../types/message.ts";
import { joined } from "./bytes.ts";
import { createImageGate, type ImageGate, type ImageLimits } from "./image-gate.ts";

/** A message in an API's form. It is made once. */
export interface EncodedMessage {
  readonly role: Message["role"];
  /** One or several wire messages, each with the comma in front that separates it from the one before. */
  readonly bytes: Uint8Array;
  /** Ids of the calls in it, as they are sent. */
  readonly callIds: ReadonlySet<string>;
}

/** How an API writes messages. */
export interface MessageForm<E extends EncodedMessage> {
  /**
   * The message in the API's form, or null when nothing of it can be sent. Every image is asked of the gate, in order.
   * `before` is the encoded message in front of it.
   */
  encode(message: Message, gate: ImageGate, before: E | null): E | null;
  readonly images: ImageLimits;
}

/** A conversation in its wire form. */
export interface EncodedHistory<E extends EncodedMessage> {
  /** Everything before the second newest user message, in few pieces that never change. */
  readonly settled: readonly Uint8Array[];
  /** The messages after it: what an API marks, it marks among these. */
  readonly recent: readonly E[];
  /** Ids of every call, as they are sent. */
  readonly callIds: ReadonlySet<string>;
}

/** What is kept of a conversation between two requests. */
interface History<E extends EncodedMessage> {
  readonly messages: Message[];
  readonly settled: Uint8Array[];
  readonly recent: E[];
  readonly callIds: Set<string>;
  last: E | null;
  images: ImageGate;
}

/**
 * Encodes conversations that grow: each message is serialised once (again when images have to be left out), and what
 * is old is joined into pieces of growing size, so that a turn costs what is new in it. A conversation is known by its messages' identity; one whose past was
 * changed is encoded anew.
 */
export function createHistoryEncoder<E extends EncodedMessage>(
  form: MessageForm<E>,
): (messages: readonly Message[]) => EncodedHistory<E> {
  const known = new WeakMap<Message, History<E>>();
  return (messages) => {
    const [first] = messages;
    const found = first === undefined ? undefined : known.get(first);
    const history = found !== undefined && continues(messages, found) ? found : emptyHistory(form);
    if (first !== undefined) known.set(first, history);
    for (let index = history.messages.length; index < messages.length; index += 1) {
      const message = messages[index];
      if (message !== undefined) append(history, message, form);
    }
    settle(history);
    return { settled: [...history.settled], recent: [...history.recent], callIds: history.callIds };
  };
}

function emptyHistory<E extends EncodedMessage>({ images }: MessageForm<E>): History<E> {
  return {
    messages: [],
    settled: [],
    recent: [],
    callIds: new Set(),
    last: null,
    images: createImageGate(images),
  };
}

function continues(
  messages: readonly Message[],
  { messages: past }: { readonly messages: readonly Message[] },
): boolean {
  if (messages.length < past.length) return false;
  for (let index = past.length - 1; index >= 0; index -= 1) if (messages[index] !== past[index]) return false;
  return true;
}

function append<E extends EncodedMessage>(history: History<E>, message: Message, form: MessageForm<E>): void {
  history.messages.push(message);
  const encoded = form.encode(message, history.images, history.last);
  if (encoded === null) return;
  history.last = encoded;
  history.recent.push(encoded);
  for (const id of encoded.callIds) history.callIds.add(id);
  const tighter = history.images.tighter();
  if (tighter !== null) encodeAnew(history, tighter, form);
}

/** Encodes everything so far with fewer images. */
function encodeAnew<E extends EncodedMessage>(
  history: History<E>,
  images: ImageGate,
  form: MessageForm<E>,
): void {
  const messages = history.messages.splice(0);
  history.settled.length = 0;
  history.recent.length = 0;
  history.last = null;
  history.images = images;
  for (const message of messages) append(history, message, form);
}

/** Moves what no API marks any more to the settled pieces. */
function settle<E extends EncodedMessage>({ recent, settled }: History<E>): void {
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
