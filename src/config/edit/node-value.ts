import type { Node } from "jsonc-parser";

/** The value of a node. The parser's own conversion lets a `__proto__` key reach the prototype. */
export function nodeValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(nodeValue);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
      key === undefined || value === undefined ? [] : [[String(key.value), nodeValue(value)]],
    ),
  );
}
