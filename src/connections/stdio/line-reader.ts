import { createEnvelopeScanner, type Envelope, type EnvelopeScanner } from "./oversize.ts";

/** A line that was longer than the limit: its bytes are gone, what it was about is known. */
export interface OversizeLine extends Envelope {
  readonly bytes: number;
}

export interface LineHandlers {
  /** One line without its line feed; a carriage return before it is still there, as JSON takes it for a blank. */
  line(text: string): void;
  oversize(line: OversizeLine): void;
}

export interface LineReader {
  /** Returns how many lines ended in it. */
  push(chunk: Buffer): number;
  /** The stream ended: what stands behind the last line feed is a line too. */
  end(): void;
}

const lineFeed = 0x0a;

/** Pieces below this size are joined as they come. */
const smallPieceBytes = 64 * 1024;

/**
 * Cuts a byte stream into lines in linear time: each byte is searched once, and a line is joined and decoded once, so
 * that no character is ever cut in two. A line of more than `limit` bytes is dropped while it arrives.
 */
export function createLineReader(limit: number, handlers: LineHandlers): LineReader {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let scanner: EnvelopeScanner | null = null;

  function hold(piece: Buffer): void {
    if (piece.length === 0) return;
    heldBytes += piece.length;
    if (heldBytes > limit) drop(piece);
    else keepJoined(held, piece);
  }

  function drop(piece: Buffer): void {
    if (scanner === null) {
      scanner = createEnvelopeScanner();
      for (const earlier of held) scanner.push(earlier);
      held = [];
    }
    scanner.push(piece);
  }

  function finish(): void {
    const pieces = held;
    const bytes = heldBytes;
    const dropped = scanner;
    held = [];
    heldBytes = 0;
    scanner = null;
    if (dropped !== null) handlers.oversize({ ...dropped.end(), bytes });
    else if (pieces.length === 1) handlers.line(pieces[0]?.toString("utf8") ?? "");
    else handlers.line(Buffer.concat(pieces, bytes).toString("utf8"));
  }

  return {
    push(chunk) {
      let from = 0;
      let lines = 0;
      for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, from)) {
        hold(chunk.subarray(from, at));
        from = at + 1;
        lines += 1;
        finish();
      }
      hold(chunk.subarray(from));
      return lines;
    },
    end() {
      if (heldBytes > 0) finish();
    },
  };
}

/** Adds a piece behind the others so that a line that arrives byte by byte stays small in memory. */
function keepJoined(held: Buffer[], piece: Buffer): void {
  let joined = piece;
  for (let last = held.at(-1); last !== undefined; last = held.at(-1)) {
    if (last.length >= smallPieceBytes || last.length > joined.length) break;
    held.pop();
    joined = Buffer.concat([last, joined]);
  }
  held.push(joined);
}
