/** The sum of two records of numbers that have the same members, member by member. */
export function addCounts<T extends { readonly [K in keyof T]: number }>(
  a: T,
  b: T,
): { [K in keyof T]: number } {
  const sum: { -readonly [K in keyof T]: number } = { ...a };
  for (const name in sum) sum[name] += b[name];
  return sum;
}
