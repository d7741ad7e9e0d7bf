const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/**
 * Gives every line of server-sent events a line feed as its end. The SDK's parser waits for what follows a carriage
 * return at the end of a chunk: the last event of a stream that uses it alone would only be seen with the next one.
 * @returns takes the chunks in order.
 */
export function createLineEnds(): (chunk: Uint8Array) => Uint8Array {
  let endedWithReturn = false;
  return (chunk) => {
    if (!endedWithReturn && chunk.indexOf(carriageReturn) < 0) return chunk;
    const lines = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      // Of a pair the first has been written already.
      const isSecond = byte === lineFeed && endedWithReturn;
      endedWithReturn = byte === carriageReturn;
      if (isSecond) continue;
      lines[length] = endedWithReturn ? lineFeed : byte;
      length += 1;
    }
    return lines.subarray(0, length);
  };
}
