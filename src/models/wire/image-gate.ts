import type { ImageBlock } from "../../types/message.ts";
import { readBase64 } from "../../util/base64-bytes.ts";
import { readImageHeader } from "../../util/image-header.ts";

/** How many images a request of an API takes. */
export interface ImageLimits {
  readonly most: number;
  /** Base64 characters of all images together. */
  readonly characters: number;
  /** A request with more images than `count` takes none that is longer than `pixels` on a side. */
  readonly large: { readonly count: number; readonly pixels: number };
}

/**
 * Decides which images of a conversation are sent: every request sends all of them again, and one too many would make
 * the API refuse the conversation for good.
 */
export interface ImageGate {
  /** Asked of every image, oldest first: why it is left out, or null. */
  leaveOut(image: ImageBlock): string | null;
  /** The gate to encode the conversation with anew once this one let too much through, else null. */
  tighter(): ImageGate | null;
}

/**
 * @param limits what the API takes.
 * @param skipped how many of the oldest images are left out. It grows in steps of half a request, so that the
 * requests between two steps begin alike and are found in the API's cache.
 * @param crowded whether there were ever too many images beside a large one.
 */
export function createImageGate(limits: ImageLimits, skipped = 0, crowded = false): ImageGate {
  /** Characters of every image, 0 for those left out. */
  const sizes: number[] = [];
  let kept = 0;
  let characters = 0;
  let large = false;
  return {
    leaveOut(image) {
      sizes.push(0);
      if (sizes.length <= skipped) return "newer images took its place";
      const isLarge = longestSide(image) > limits.large.pixels;
      if (isLarge && crowded)
        return `it is longer than ${limits.large.pixels} pixels and there are many images`;
      sizes[sizes.length - 1] = image.data.length;
      kept += 1;
      characters += image.data.length;
      large ||= isLarge;
      return null;
    },
    tighter() {
      if (kept > limits.most || (characters > limits.characters && kept > 1)) {
        return createImageGate(limits, sizes.length - newest(sizes, limits), crowded);
      }
      return large && !crowded && kept > limits.large.count ? createImageGate(limits, skipped, true) : null;
    },
  };
}

/** How many of the newest images fill half a request; one at least. */
function newest(sizes: readonly number[], limits: ImageLimits): number {
  let count = 0;
  let characters = 0;
  while (count < Math.min(sizes.length, limits.most / 2)) {
    characters += sizes[sizes.length - 1 - count] ?? 0;
    if (count > 0 && characters > limits.characters / 2) break;
    count += 1;
  }
  return count;
}

function longestSide(image: ImageBlock): number {
  const bytes = readBase64(image.data);
  const header = bytes === null ? null : readImageHeader(bytes);
  return header === null ? 0 : Math.max(header.width, header.height);
}
