import type { Node } from "jsonc-parser";

/** A value of a file, and where it stands. */
export interface Located<T> {
  readonly value: T;
  readonly offset: number;
}

/** The members of an object in the order of the file. Keys are plain text: `__proto__` is one like any other. */
export function membersOf(
  node: Node | undefined,
): readonly (readonly [key: string, value: Node, keyOffset: number])[] {
  return (node?.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [[String(key.value), value, key.offset] as const],
  );
}

export function member(node: Node | undefined, name: string): Node | undefined {
  return membersOf(node).find(([key]) => key === name)?.[1];
}

/** A value whose type the schema has checked already. */
export function text(node: Node | undefined): Located<string> | undefined {
  return typeof node?.value === "string" ? { value: node.value, offset: node.offset } : undefined;
}

export function texts(node: Node | undefined): readonly Located<string>[] {
  return (node?.children ?? []).map(text).filter((found) => found !== undefined);
}

export function number(node: Node | undefined): Located<number> | undefined {
  return typeof node?.value === "number" ? { value: node.value, offset: node.offset } : undefined;
}

export function locatedFlag(node: Node | undefined): Located<boolean> | undefined {
  return typeof node?.value === "boolean" ? { value: node.value, offset: node.offset } : undefined;
}

export function flag(node: Node | undefined): boolean | undefined {
  return typeof node?.value === "boolean" ? node.value : undefined;
}
