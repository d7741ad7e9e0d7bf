/** What can be learned of a message that was not kept. */
export interface Envelope {
  /** The top-level `id`, where it is a string or a finite number. */
  readonly id: string | number | undefined;
  /** The top-level `method`, where it is a string. */
  readonly method: string | undefined;
}

/** Reads a JSON object piece by piece and remembers two of its members. */
export interface EnvelopeScanner {
  push(bytes: Uint8Array): void;
  end(): Envelope;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/** No id and no method is longer; every key that matters is far shorter, even when all its letters are escaped. */
const longestMember = 1024;

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}

function isByteOrderMark(byte: number): boolean {
  return byte === 0xef || byte === 0xbb || byte === 0xbf;
}

/** The bytes of one key or value of the top level, up to a bound. */
function createCapture() {
  const bytes = Buffer.alloc(longestMember);
  let length = 0;
  let useless = false;
  return {
    reset() {
      length = 0;
      useless = false;
    },
    spoil() {
      useless = true;
    },
    add(piece: Uint8Array) {
      if (length + piece.length > longestMember) useless = true;
      if (useless) return;
      bytes.set(piece, length);
      length += piece.length;
    },
    value(): unknown {
      if (useless || length === 0) return undefined;
      try {
        return JSON.parse(bytes.toString("utf8", 0, length));
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Finds the top-level `id` and `method` wherever they stand (many servers write `id` last) in linear time and constant
 * memory. Names inside of values, escapes and repeated keys mean what they mean to `JSON.parse`; text that is no JSON
 * object gives nothing or something, but never an error.
 */
export function createEnvelopeScanner(): EnvelopeScanner {
  const capture = createCapture();
  let id: Envelope["id"];
  let method: Envelope["method"];
  let depth = 0;
  let over = false;
  let inString = false;
  let escaped = false;
  let inKey = true;
  let key = "";

  function finishMember(): void {
    const value = inKey ? undefined : capture.value();
    if (key === "id")
      id = typeof value === "string" || Number.isFinite(value) ? (value as string | number) : undefined;
    if (key === "method") method = typeof value === "string" ? value : undefined;
    key = "";
    inKey = true;
    capture.reset();
  }

  function finishKey(): void {
    const name = capture.value();
    key = name === "id" || name === "method" ? name : "";
    inKey = false;
    capture.reset();
  }

  /** Goes on behind the end of the string, or behind the last byte. */
  function readString(bytes: Uint8Array, from: number): number {
    let at = escaped ? from + 1 : from;
    escaped = false;
    while (at < bytes.length) {
      const byte = bytes[at];
      at += byte === backslash ? 2 : 1;
      if (byte === quote) {
        inString = false;
        break;
      }
    }
    escaped = inString && at > bytes.length;
    const end = Math.min(at, bytes.length);
    if (depth === 1) capture.add(bytes.subarray(from, end));
    return end;
  }

  /** Goes on behind the byte that ends the top level's own text: a string, a value inside of it, or its end. */
  function readNested(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === quote) {
        inString = true;
        return at + 1;
      }
      if (byte === openBrace || byte === openBracket) depth++;
      else if ((byte === closeBrace || byte === closeBracket) && --depth === 1) return at + 1;
    }
    return bytes.length;
  }

  function readTopLevel(bytes: Uint8Array, at: number): void {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      inString = true;
      capture.add(bytes.subarray(at, at + 1));
    } else if (byte === colon) finishKey();
    else if (byte === comma) finishMember();
    else if (byte === openBrace || byte === openBracket) {
      depth++;
      capture.spoil();
    } else if (byte === closeBrace || byte === closeBracket) {
      finishMember();
      over = true;
    } else if (!isBlank(byte)) capture.add(bytes.subarray(at, at + 1));
  }

  function readStart(byte: number): void {
    if (byte === openBrace) depth = 1;
    else if (!isBlank(byte) && !isByteOrderMark(byte)) over = true;
  }

  return {
    push(bytes) {
      let at = 0;
      while (at < bytes.length && !over) {
        if (inString) at = readString(bytes, at);
        else if (depth > 1) at = readNested(bytes, at);
        else if (depth === 1) readTopLevel(bytes, at++);
        else readStart(bytes[at++] ?? 0);
      }
    },
    end: () => ({ id, method }),
  };
}
