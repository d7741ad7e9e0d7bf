import { expect, test } from "vitest";
import { wrapRows } from "./wrap-rows.ts";

test("a line that fits is one row, and a longer one goes on behind a mark that counts", () => {
  expect(wrapRows("", 5)).toEqual([""]);
  expect(wrapRows("12345", 5)).toEqual(["12345"]);
  expect(wrapRows("123456", 5)).toEqual(["12345", "↪ 6"]);
  expect(wrapRows("12345678901", 5)).toEqual(["12345", "↪ 678", "↪ 901"]);
  expect(wrapRows("123456", Number.POSITIVE_INFINITY)).toEqual(["123456"]);
});

test("a row ends behind a space where one is in its second half, and only where that is asked for", () => {
  expect(wrapRows("one two three", 10)).toEqual(["one two th", "↪ ree"]);
  const atSpaces = { atSpaces: true };
  expect(wrapRows("one two three", 10, atSpaces)).toEqual(["one two ", "↪ three"]);
  expect(wrapRows("a bcdefghijkl", 10, atSpaces)).toEqual(["a bcdefghi", "↪ jkl"]);
  expect(wrapRows("abcd efghijkl", 10, atSpaces)).toEqual(["abcd efghi", "↪ jkl"]);
  expect(wrapRows("abcde fghijkl", 10, atSpaces)).toEqual(["abcde ", "↪ fghijkl"]);
  expect(wrapRows("abcdefghi jkl", 10, atSpaces)).toEqual(["abcdefghi ", "↪ jkl"]);
  expect(wrapRows("abcdefghij kl", 10, atSpaces)).toEqual(["abcdefghij", "↪  kl"]);
  expect(wrapRows("one two", 10, atSpaces)).toEqual(["one two"]);
});

test("wide letters take two columns, marks none, and a letter that fits nowhere stands by itself", () => {
  expect(wrapRows("漢字漢字", 4)).toEqual(["漢字", "↪ 漢", "↪ 字"]);
  expect(wrapRows("a漢b", 2)).toEqual(["a", "↪ 漢", "↪ b"]);
  expect(wrapRows("abcde\u0301f", 5)).toEqual(["abcde\u0301", "↪ f"]);
  expect(wrapRows("ab😀", 3)).toEqual(["ab", "↪ 😀"]);
});

test("the host's colours take no columns and are never broken", () => {
  const [on, off] = ["\u001b[38;5;1m", "\u001b[39m"];
  expect(wrapRows(`${on}12345${off}`, 5)).toEqual([`${on}12345${off}`]);
  expect(wrapRows(`${on}123456${off}`, 5)).toEqual([`${on}12345`, `↪ 6${off}`]);
  expect(wrapRows("\u001b12345", 5)).toEqual(["\u001b1234", "↪ 5"]);
});
