/**
 * A parsed JSON value where a text belongs: a text as it is, an object or a list as JSON, all else as its word. `String`
 * throws for an object that has a member `toString`, as whoever wrote the JSON likes.
 */
export function textOfJson(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
