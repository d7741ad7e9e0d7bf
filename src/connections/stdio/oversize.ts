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

type Capture = ReturnType<typeof createCapture>;

/** Where the scanner stands, and what it has found. */
interface Scan {
  readonly capture: Capture;
  id: Envelope["id"];
  method: Envelope["method"];
  /** Of objects and arrays: 1 inside of the top-level object. */
  depth: number;
  /** Nothing that follows matters. */
  over: boolean;
  inString: boolean;
  /** The byte that follows is escaped. */
  escaped: boolean;
  inKey: boolean;
  key: "id" | "method" | null;
}

/**
 * Finds the top-level `id` and `method` wherever they stand (many servers write `id` last) in linear time and constant
 * memory. Names inside of values, escapes and repeated keys mean what they mean to `JSON.parse`; text that is no JSON
 * object gives nothing or something, but never an error.
 */
export function createEnvelopeScanner(): EnvelopeScanner {
  const scan: Scan = {
    capture: createCapture(),
    id: undefined,
    method: undefined,
    depth: 0,
    over: false,
    inString: false,
    escaped: false,
    inKey: true,
    key: null,
  };
  return {
    push(bytes) {
      let at = 0;
      while (at < bytes.length && !scan.over) {
        if (scan.inString) at = readString(scan, bytes, at);
        else if (scan.depth > 1) at = readNested(scan, bytes, at);
        else if (scan.depth === 1) readTopLevel(scan, bytes, at++);
        else readStart(scan, bytes[at++] ?? 0);
      }
    },
    end: () => ({ id: scan.id, method: scan.method }),
  };
}

function readStart(scan: Scan, byte: number): void {
  if (byte === openBrace) scan.depth = 1;
  else if (!isBlank(byte) && !isByteOrderMark(byte)) scan.over = true;
}

function readTopLevel(scan: Scan, bytes: Uint8Array, at: number): void {
  const byte = bytes[at] ?? 0;
  if (byte === quote) {
    scan.inString = true;
    scan.capture.add(bytes.subarray(at, at + 1));
  } else if (byte === colon) finishKey(scan);
  else if (byte === comma) finishMember(scan);
  else if (byte === openBrace || byte === openBracket) {
    scan.depth++;
    scan.capture.spoil();
  } else if (byte === closeBrace || byte === closeBracket) {
    finishMember(scan);
    scan.over = true;
  } else if (!isBlank(byte)) scan.capture.add(bytes.subarray(at, at + 1));
}

/** Goes on behind the end of the string, or behind the last byte. */
function readString(scan: Scan, bytes: Uint8Array, from: number): number {
  let at = scan.escaped ? from + 1 : from;
  scan.escaped = false;
  while (at < bytes.length) {
    const byte = bytes[at];
    at += byte === backslash ? 2 : 1;
    if (byte === quote) {
      scan.inString = false;
      break;
    }
  }
  scan.escaped = scan.inString && at > bytes.length;
  const end = Math.min(at, bytes.length);
  if (scan.depth === 1) scan.capture.add(bytes.subarray(from, end));
  return end;
}

/** Goes on behind the byte that ends the top level's own text: a string, a value inside of it, or its end. */
function readNested(scan: Scan, bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      scan.inString = true;
      return at + 1;
    }
    if (byte === openBrace || byte === openBracket) scan.depth++;
    else if ((byte === closeBrace || byte === closeBracket) && --scan.depth === 1) return at + 1;
  }
  return bytes.length;
}

function finishKey(scan: Scan): void {
  const name = scan.capture.value();
  scan.key = name === "id" || name === "method" ? name : null;
  scan.inKey = false;
  scan.capture.reset();
}

function finishMember(scan: Scan): void {
  const value = scan.inKey ? undefined : scan.capture.value();
  if (scan.key === "id")
    scan.id = typeof value === "string" || Number.isFinite(value) ? (value as string | number) : undefined;
  if (scan.key === "method") scan.method = typeof value === "string" ? value : undefined;
  scan.key = null;
  scan.inKey = true;
  scan.capture.reset();
}
