import type { Node } from "jsonc-parser";
import type { ModelPrice, TokenPrices } from "../../types/price.ts";
import { type Located, member, membersOf, number } from "./members.ts";

/** The prices of a document that was checked against the schema, by model. */
export function readPrices(node: Node | undefined): readonly (readonly [string, Located<ModelPrice>])[] {
  return membersOf(node).map(
    ([model, price, offset]) => [model, { value: readPrice(price), offset }] as const,
  );
}

function readPrice(node: Node): ModelPrice {
  const long = member(node, "long");
  if (long === undefined) return readTokens(node);
  const overTokens = number(member(long, "overTokens"))?.value ?? 0;
  return { ...readTokens(node), long: { ...readTokens(long), overTokens } };
}

function readTokens(node: Node): TokenPrices {
  const [input = 0, output = 0, cacheRead, cacheWrite] = ["input", "output", "cacheRead", "cacheWrite"].map(
    (name) => number(member(node, name))?.value,
  );
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}
