/** What a member costs beside its text: quotes, colon, comma. */
const memberBytes = 6;

/**
 * About how many bytes a JSON value has as text, from its number of members and the length of its texts; once that is
 * over `limit`, some number over it. Looks at no more than that itself, and is not recursive: the value may be nested in
 * any way.
 */
export function jsonSize(value: unknown, limit: number): number {
  const open: unknown[] = [value];
  let size = 0;
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    size += memberBytes;
    if (typeof next === "string") size += next.length;
    else if (Array.isArray(next)) {
      size += next.length;
      if (size > limit) return size;
      for (const member of next) open.push(member ?? null);
    } else if (typeof next === "object" && next !== null) {
      for (const name of Object.keys(next)) {
        size += name.length + memberBytes;
        if (size > limit) return size;
        open.push((next as Readonly<Record<string, unknown>>)[name] ?? null);
      }
    }
    if (size > limit) return size;
  }
  return size;
}
