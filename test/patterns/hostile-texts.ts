import { nodesOf, type PatternNode } from "./parse-pattern.ts";

const pool: readonly string[] = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32)),
  ..."\n\r\t\0\u001b\u007f\u00e9\u0301\u200d\u4e00\u05d0\u2028\ud800\u{1f600}",
];

/** More kinds of characters in loops are not paired with each other. */
const mostKinds = 8;

/** One character of each kind that these nodes can tell apart. */
function kindsOf(nodes: readonly PatternNode[]): readonly string[] {
  const takers = nodes.filter((node) => node.type === "one");
  const kinds = new Map<string, string>();
  for (const character of pool) {
    const signature = takers.map(({ takes }) => (takes(character) ? "1" : "0")).join("");
    if (!kinds.has(signature)) kinds.set(signature, character);
  }
  return [...kinds.values()];
}

/** A short text that a node matches: the first choice, as few repetitions as may be. */
function shortest(node: PatternNode): string {
  if (node.type === "one") return pool.find((character) => node.takes(character)) ?? "";
  if (node.type === "all") return node.parts.map(shortest).join("");
  if (node.type === "any") return shortest(node.choices[0] ?? node);
  if (node.type === "loop") return shortest(node.body).repeat(Math.min(node.min, 40));
  return node.type === "group" ? shortest(node.body) : "";
}

/** What leads to every loop of a tree, and what it repeats. */
function loopsOf(node: PatternNode, before: string): { before: string; body: string }[] {
  if (node.type === "any") return node.choices.flatMap((choice) => loopsOf(choice, before));
  if (node.type === "all") {
    let led = before;
    return node.parts.flatMap((part) => {
      const found = loopsOf(part, led);
      led += shortest(part);
      return found;
    });
  }
  if (node.type === "loop") return [{ before, body: shortest(node.body) }, ...loopsOf(node.body, before)];
  return "body" in node ? loopsOf(node.body, before) : [];
}

/** Texts of about so many characters that make a careless pattern try again and again. */
export function* hostileTexts(tree: PatternNode, length: number): Generator<string> {
  const fill = (piece: string): string => piece.repeat(Math.ceil(length / Math.max(piece.length, 1)));
  const nodes = nodesOf(tree);
  const loops = nodes.filter((node) => node.type === "loop" && node.max > 1);
  const repeated = kindsOf(loops.flatMap(nodesOf)).slice(0, mostKinds);
  for (const character of kindsOf(nodes)) yield fill(character);
  for (const first of repeated) {
    for (const second of repeated) {
      if (first === second) continue;
      yield fill(first + second);
      yield `${fill(first + second)}\u0001`;
      yield fill(first) + second;
      yield second + fill(first);
    }
  }
  for (const { before, body } of loopsOf(tree, "")) {
    for (const piece of new Set([body, ...repeated])) {
      yield before + fill(piece);
      yield `${before + fill(piece)}\u0001`;
      yield fill(before + piece);
    }
  }
}
