const encoder = new TextEncoder();
const chunk = new Uint8Array(64 * 1024);
/** Code units that surely fit into the chunk: none needs more than three bytes. */
const chunkUnits = Math.floor(chunk.length / 3);
/** Up to this length counting here is faster than the encoder. */
const shortUnits = 500;

/** Number of UTF-8 bytes of the text; a lone surrogate counts as the 3 bytes of its replacement. */
export function utf8Length(text: string): number {
  return text.length <= shortUnits ? countUnits(text) : countEncoded(text);
}

function countUnits(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 2;
      index += 1;
    } else bytes += 2;
  }
  return bytes;
}

function countEncoded(text: string): number {
  let bytes = 0;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + chunkUnits);
    // A pair that the end would cut in two belongs to the next chunk.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    bytes += encoder.encodeInto(text.slice(start, end), chunk).written;
    start = end;
  }
  return bytes;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
