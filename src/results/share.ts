/**
 * Shares `total` among wishes: everybody gets the same at most, and what a small wish leaves goes to the larger ones.
 * The order of the wishes breaks ties, so the same wishes always get the same.
 */
export function share(wanted: readonly number[], total: number): number[] {
  const granted = wanted.map(() => 0);
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  let left = total;
  order.forEach((index, position) => {
    const most = Math.floor(left / (order.length - position));
    granted[index] = Math.max(0, Math.min(wanted[index] ?? 0, most));
    left -= granted[index] ?? 0;
  });
  return granted;
}
