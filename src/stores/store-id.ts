const pattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** Whether a text can be a part of a path: letters, digits, `_` and `-`, up to 128. Nothing else reaches the disk. */
export function isStoreId(id: string): boolean {
  return pattern.test(id);
}
