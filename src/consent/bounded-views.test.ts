import { expect, test } from "vitest";
import type { Json, JsonObject } from "../types/json.ts";
import { decodedViews } from "./decoded-views.ts";
import { exactText } from "./exact-text.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const views = (values: Json) =>
  decodedViews(values).map(({ argument, encodings, value }) => [argument, encodings.join(" > "), value]);

test("twelve views are made at most, of one text too", () => {
  const many: JsonObject = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`a${index}`, `%4${index % 10}`]),
  );
  expect(views(many).map(([argument]) => argument)).toEqual(
    Array.from({ length: 12 }, (_, index) => `a${index}`),
  );
  const tokens = (count: number) =>
    Array.from({ length: count }, (_, index) => base64(`a readable text ${index}`)).join(" ");
  expect(views({ a: tokens(7) })).toHaveLength(7);
  expect(views({ a: tokens(9) })).toHaveLength(8);
  expect(views({ a: tokens(8), b: tokens(8) })).toHaveLength(12);
});

test("of a text the first 65,536 characters are looked at", () => {
  const at = (position: number) => ({ a: `${"-".repeat(position)}%41` });
  expect(views(at(65_533))).toHaveLength(1);
  expect(views(at(65_536))).toEqual([]);
});

test("JSON in a string is an object or a list, with space before it", () => {
  expect(views({ a: ' \n{"b":1}', c: "[1]" })).toEqual([
    ["a", "JSON in a string", { b: 1 }],
    ["c", "JSON in a string", [1]],
  ]);
  for (const text of ["1", '"x"', "null", 'x {"b":1}', "{b}", "x[1]"]) expect(views({ a: text })).toEqual([]);
});

test("an escape is a character up to the last of Unicode, and what is behind it stays", () => {
  expect(views({ a: "\\u{10ffff}" })).toEqual([["a", "escapes", "\u{10ffff}"]]);
  expect(views({ a: "\\u{110000}" })).toEqual([]);
  expect(views({ a: "\\u{110000}\\x41" })).toEqual([["a", "escapes", "\\u{110000}A"]]);
});

test("what decodes to nothing or to controls is not shown as base64", () => {
  expect(views({ a: base64("\u0001".repeat(20)) })).toEqual([]);
  expect(views({ a: base64("two\tlines\nthat are read") })).toHaveLength(1);
  const wide = (text: string) => Buffer.from(text, "utf16le").toString("base64");
  expect(views({ a: wide("Get-Item") })).toEqual([["a", "base64 of UTF-16", "Get-Item"]]);
  expect(views({ a: wide("Žluť kůň") })).toEqual([]);
});

test("three marks stay on a letter, and those behind them stand as escapes", () => {
  const mark = "\u0301";
  const written = "\\u0301";
  expect(exactText(`a${mark.repeat(3)}`)).toBe(`a${mark.repeat(3)}`);
  expect(exactText(`a${mark.repeat(5)}b`)).toBe(`a${mark.repeat(3)}${written.repeat(2)}b`);
  expect(exactText(`${mark}a`)).toBe(`${written}a`);
  expect(exactText(`a ${mark}`)).toBe(`a ${written}`);
  expect(exactText(`😀${mark}`)).toBe(`😀${mark}`);
});
