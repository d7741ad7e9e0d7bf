import { withoutEnd } from "../util/without-end.ts";

const unseen = /\p{Default_Ignorable_Code_Point}/gu;
/** Streams of Windows that are the file or the folder itself. */
const ownStream = /:[^:]*:\$(?:data|index_allocation)$/i;
/** A name that Windows makes up beside a longer one. */
const shortName = /^[^.~]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/;
/** No file system has longer names. */
const longestName = 1024;

/**
 * Whether two names of a path may be one file to some system that servers run on: one that does not tell case, composed
 * letters or what nobody sees apart, or that leaves out dots and spaces at the end. Null where the first may be a short
 * name of the second.
 */
export function mayBeSameName(name: string, other: string): boolean | null {
  if (name === other) return true;
  if (name.length > longestName) return false;
  if (folded(name) === folded(other)) return true;
  return shortName.test(name) ? null : false;
}

function folded(name: string): string {
  const seen = name.replace(unseen, "").normalize("NFC");
  // Letters such as the long s have a capital of another letter: both ways, as file systems fold them.
  return withoutEnd(seen.replace(ownStream, ""), ". ").toUpperCase().toLowerCase();
}
