/** A pattern as a tree. Whatever takes one character is asked of the engine itself. */
export type PatternNode =
  | { readonly type: "one"; readonly source: string; readonly takes: (character: string) => boolean }
  | { readonly type: "all"; readonly parts: readonly PatternNode[] }
  | { readonly type: "any"; readonly choices: readonly PatternNode[] }
  | { readonly type: "group"; readonly body: PatternNode }
  | {
      readonly type: "loop";
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  | { readonly type: "look"; readonly body: PatternNode; readonly behind: boolean; readonly negated: boolean }
  | { readonly type: "edge"; readonly kind: "^" | "$" | "\\b" | "\\B" };

const token =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])|\[(?:[^\]\\]|\\[\s\S])*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/y;

/** The tokens of a pattern; with the flag `u` a character of two units is one. */
function tokensOf(source: string, flags: string): string[] {
  const pattern = new RegExp(token.source, flags.includes("u") ? "yu" : "y");
  const tokens: string[] = [];
  while (pattern.lastIndex < source.length) tokens.push(pattern.exec(source)?.[0] ?? "");
  return tokens;
}

function countsOf(quantifier: string): { min: number; max: number } {
  if (quantifier.startsWith("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (quantifier.startsWith("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (quantifier.startsWith("?")) return { min: 0, max: 1 };
  const [least = "", most] = quantifier.replace(/[{}?]/g, "").split(",");
  const max = most === "" ? Number.POSITIVE_INFINITY : Number(most ?? least);
  return { min: Number(least), max };
}

function one(source: string, flags: string): PatternNode {
  const pattern = new RegExp(`^(?:${source})$`, flags.replace(/[gym]/g, ""));
  const known = new Map<string, boolean>();
  const takes = (character: string): boolean => {
    let answer = known.get(character);
    if (answer === undefined) {
      answer = pattern.test(character);
      known.set(character, answer);
    }
    return answer;
  };
  return { type: "one", source, takes };
}

/** The tree of a pattern. What this does not read (a reference back) throws. */
export function parsePattern(source: string, flags: string): PatternNode {
  const tokens = tokensOf(source, flags);
  let at = 0;

  function group(opening: string): PatternNode {
    const body = choices();
    at += 1;
    if (opening === "(?:") return body;
    const look = /^\(\?(<?)([=!])$/.exec(opening);
    if (look === null) return { type: "group", body };
    return { type: "look", body, behind: look[1] === "<", negated: look[2] === "!" };
  }

  function atom(): PatternNode {
    const text = tokens[at++] ?? "";
    if (text === "^" || text === "$" || text === "\\b" || text === "\\B") return { type: "edge", kind: text };
    if (text.startsWith("(")) return group(text);
    if (/^\\[1-9k]/.test(text)) throw new Error(`A reference back is not read: /${source}/`);
    return one(text, flags);
  }

  function sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (at < tokens.length && tokens[at] !== "|" && tokens[at] !== ")") {
      const body = atom();
      const quantifier = tokens[at] ?? "";
      if (!/^(?:[*+?]|\{\d)/.test(quantifier)) parts.push(body);
      else {
        at += 1;
        parts.push({ type: "loop", body, ...countsOf(quantifier), lazy: /.\?$/.test(quantifier) });
      }
    }
    const [first] = parts;
    return parts.length === 1 && first !== undefined ? first : { type: "all", parts };
  }

  function choices(): PatternNode {
    const found = [sequence()];
    while (tokens[at] === "|") {
      at += 1;
      found.push(sequence());
    }
    const [first] = found;
    return found.length === 1 && first !== undefined ? first : { type: "any", choices: found };
  }

  const tree = choices();
  if (at !== tokens.length) throw new Error(`Not read to its end: /${source}/`);
  return tree;
}

/** The node and everything in it. */
export function nodesOf(node: PatternNode): readonly PatternNode[] {
  if (node.type === "all") return [node, ...node.parts.flatMap(nodesOf)];
  if (node.type === "any") return [node, ...node.choices.flatMap(nodesOf)];
  return "body" in node ? [node, ...nodesOf(node.body)] : [node];
}
