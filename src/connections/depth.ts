/** Deepest nesting of a schema or value that the host handles: everything behind this point walks it recursively. */
export const maxDepth = 64;

/** Whether a JSON value is nested deeper than `limit`. Looks no deeper than that itself. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit === 0) return true;
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null && isDeeperThan(member, limit - 1)) return true;
  }
  return false;
}
