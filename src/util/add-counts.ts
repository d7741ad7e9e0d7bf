/** The sum of two records of numbers, member by member; a member that one of them leaves out is the other's. */
export function addCounts<T extends { readonly [K in keyof T]: number | undefined }>(a: T, b: T): T {
  const sum: Record<string, number | undefined> = { ...a };
  for (const [name, count] of Object.entries<number | undefined>(b)) {
    if (count !== undefined) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum as T;
}
