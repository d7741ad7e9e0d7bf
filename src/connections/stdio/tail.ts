/** The last words of a stream, in bounded memory. */
export interface Tail {
  push(chunk: Uint8Array): void;
  /** At most `limit` characters, redacted. */
  text(): string;
}

/**
 * Kept beyond the limit and never shown once something was dropped: a secret cut in two at the edge of what is
 * kept cannot be recognised, and lies in this part as long as it is shorter.
 */
const marginBytes = 4096;

/** Keeps the last `limit` bytes of what is pushed, in a ring that is allocated with the first byte. */
export function createTail(limit: number, redact: (text: string) => string): Tail {
  const size = limit + marginBytes;
  let ring: Buffer | null = null;
  let next = 0;
  let dropped = false;
  let full = false;

  return {
    push(chunk) {
      if (chunk.length === 0) return;
      ring ??= Buffer.alloc(size);
      dropped ||= full || next + chunk.length > size;
      const kept = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
      const first = Math.min(kept.length, size - next);
      ring.set(kept.subarray(0, first), next);
      ring.set(kept.subarray(first), 0);
      full ||= next + kept.length >= size;
      next = (next + kept.length) % size;
    },
    text() {
      if (ring === null) return "";
      const bytes = full
        ? Buffer.concat([ring.subarray(next), ring.subarray(0, next)])
        : ring.subarray(0, next);
      const redacted = redact(bytes.toString("utf8"));
      return (dropped ? redacted.slice(marginBytes) : redacted).slice(-limit);
    },
  };
}
