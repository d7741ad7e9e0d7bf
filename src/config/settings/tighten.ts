import { openLimits } from "./limit-keys.ts";

/** A value with what it is worth: the file it stands in does not matter here. */
interface Limit {
  readonly value: number;
}

/** Larger is looser, and where 0 means no limit it is the loosest. */
function isLooser(name: string, value: number, than: number): boolean {
  const size = (limit: number) => (limit === 0 && openLimits.has(name) ? Number.POSITIVE_INFINITY : limit);
  return size(value) > size(than);
}

/**
 * What holds: a person's value, or the project's where that is tighter. The project's value may be no looser than the
 * default or than the person's, whichever is looser: `refused` is then true and the value counts for nothing.
 */
export function tighten<L extends Limit>(
  name: string,
  byDefault: number,
  user: L | undefined,
  project: L | undefined,
): { readonly limit: L | undefined; readonly refused: boolean } {
  if (project === undefined) return { limit: user, refused: false };
  const without = user?.value ?? byDefault;
  const loosest = isLooser(name, without, byDefault) ? without : byDefault;
  if (isLooser(name, project.value, loosest)) return { limit: user, refused: true };
  return {
    limit: user !== undefined && isLooser(name, project.value, without) ? user : project,
    refused: false,
  };
}
