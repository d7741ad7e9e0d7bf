import fc from "fast-check";
import { expect, test } from "vitest";
import { parseArguments } from "./parse-arguments.ts";

function problemOf(text: string): string {
  const parsed = parseArguments(text);
  return parsed.ok ? `accepted ${JSON.stringify(parsed.value)}` : parsed.problem;
}

test("nothing at all, white space and null mean no arguments", () => {
  for (const text of ["", "  ", "\n\t", "null", " null ", "{}"]) {
    expect(parseArguments(text)).toEqual({ ok: true, value: {} });
  }
});

test("an object that was written as a JSON string is unpacked once and no more", () => {
  expect(parseArguments('"{\\"a\\":1}"')).toEqual({ ok: true, value: { a: 1 } });
  expect(problemOf(JSON.stringify(JSON.stringify('{"a":1}')))).toContain("must be one JSON object");
});

test("anything but an object is refused by its kind, never turned into no arguments", () => {
  expect(problemOf("[1,2]")).toContain("an array");
  expect(problemOf("42")).toContain("a number");
  expect(problemOf("true")).toContain("a boolean");
  expect(problemOf('""')).toContain("a string");
  expect(problemOf('"null"')).toContain("a string");
});

test("a text that ends early is called truncated wherever it ends", () => {
  const whole = '{"path":"x.ts","list":[1,-2.5e3,true,null,{"k":"a\\"b"}],"content":"abc"}';
  for (let length = 1; length < whole.length; length++) {
    expect(problemOf(whole.slice(0, length))).toContain("truncated");
  }
  expect(problemOf(JSON.stringify('{"a":"b'))).toContain("truncated");
});

test("broken JSON is refused with the place, and is not called truncated", () => {
  for (const text of [
    "{a:1}",
    '{"a":1,}',
    '{"a" 1}',
    '{"a":1} x',
    "{'a':1}",
    '{"a":1]',
    '{"a":01}',
    "[1 2]",
    '{"a":.5}',
  ]) {
    expect(problemOf(text)).toMatch(/not valid JSON: .* at character \d+/);
  }
  expect(problemOf('{"a":"line\nbreak"}')).toContain("control character");
  expect(problemOf('{"a":"\\x"}')).toContain("broken escape");
});

test("a key that appears twice is refused, also in another spelling and deep inside", () => {
  expect(problemOf('{"a":1,"a":2}')).toContain('the key "a" appears twice');
  expect(problemOf('{"b":[{"a":1,"\\u0061":2}]}')).toContain('the key "a" appears twice');
  expect(problemOf('{"a":{"a":1},"b":{"a":2}}')).toContain("accepted");
});

test("integers that a double cannot hold are refused, others are not", () => {
  expect(problemOf('{"id":9007199254740993}')).toContain("too large to be exact");
  expect(problemOf('{"id":-9007199254740992}')).toContain("too large to be exact");
  expect(problemOf('{"id":12345678901234567890.5}')).toContain("too large to be exact");
  expect(problemOf('{"id":9007199254740991,"x":1e20,"y":-0.25}')).toContain("accepted");
});

test("numbers that are not finite are refused", () => {
  expect(problemOf('{"a":1e999}')).toContain("too large");
  expect(problemOf('{"a":NaN}')).toContain("no number of JSON");
  expect(problemOf('{"a":-Infinity}')).toContain("no number of JSON");
});

test("64 levels are accepted and 65 are not", () => {
  const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  expect(problemOf(nested(64))).toContain("accepted");
  expect(problemOf(nested(65))).toContain("nested deeper");
  expect(problemOf("[".repeat(200_000))).toContain("nested deeper");
});

test("one mebibyte is accepted and one byte more is not, in bytes and not in characters", () => {
  const sized = (bytes: number, character: string) => {
    const size = new TextEncoder().encode(character).length;
    const frame = '{"a":""}';
    const rest = bytes - frame.length;
    return `{"a":"${character.repeat(Math.floor(rest / size))}${"x".repeat(rest % size)}"}`;
  };
  for (const character of ["x", "日"]) {
    expect(parseArguments(sized(1024 * 1024, character)).ok).toBe(true);
    expect(problemOf(sized(1024 * 1024 + 1, character))).toContain("1 MiB");
  }
});

test("__proto__ stays a key like any other and changes no prototype", () => {
  const parsed = parseArguments('{"__proto__":{"admin":true},"constructor":1}');
  expect(parsed.ok && Object.hasOwn(parsed.value, "__proto__")).toBe(true);
  expect(parsed.ok && "admin" in parsed.value).toBe(false);
  expect(parsed.ok && JSON.stringify(parsed.value)).toBe('{"__proto__":{"admin":true},"constructor":1}');
});

const jsonText = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ntfau0123456789.eE+- \n'.split("")), maxLength: 30 }),
  fc
    .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 3 }))
    .map(
      ([text, at, noise]) =>
        text.slice(0, at % (text.length + 1)) + noise + text.slice(at % (text.length + 1)),
    ),
);

test("no text makes it throw, and what is accepted is what JSON.parse reads", () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const parsed = parseArguments(text);
      if (!parsed.ok) {
        expect(parsed.problem).not.toBe("");
      } else if (text.trim() === "" || JSON.parse(text) === null) {
        expect(parsed.value).toEqual({});
      } else {
        const once: unknown = JSON.parse(text);
        expect(parsed.value).toEqual(typeof once === "string" ? JSON.parse(once) : once);
      }
    }),
    { numRuns: 3000 },
  );
});

test("what JSON.parse reads as an object is accepted, apart from numbers that would change and repeated keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 5 })), (value) => {
      const parsed = parseArguments(JSON.stringify(value, null, 1));
      const unsafe = !parsed.ok && parsed.problem.includes("too large to be exact");
      expect(parsed.ok || unsafe).toBe(true);
      if (parsed.ok) expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 300 },
  );
});
