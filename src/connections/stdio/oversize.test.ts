import fc from "fast-check";
import { expect, test } from "vitest";
import { createEnvelopeScanner, type Envelope } from "./oversize.ts";

function scan(text: string, cuts: readonly number[] = []): Envelope {
  const scanner = createEnvelopeScanner();
  const bytes = Buffer.from(text);
  let from = 0;
  for (const cut of [...cuts].map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b)) {
    scanner.push(bytes.subarray(from, cut));
    from = cut;
  }
  scanner.push(bytes.subarray(from));
  return scanner.end();
}

function byParsing(text: string): Envelope {
  const { id, method } = JSON.parse(text) as Record<string, unknown>;
  return {
    id: typeof id === "string" || (typeof id === "number" && Number.isFinite(id)) ? id : undefined,
    method: typeof method === "string" ? method : undefined,
  };
}

/** Keys that matter, in several spellings, and keys that look like them. */
const key = fc.oneof(
  fc.constantFrom(
    '"id"',
    '"method"',
    '"\\u0069d"',
    '"meth\\u006Fd"',
    '"ID"',
    '"id "',
    '"\\"id"',
    '"result"',
    '"i\\\\d"',
  ),
  fc.string().map((text) => JSON.stringify(text)),
);
const space = fc.constantFrom("", " ", "\t", "\r", "  ");
const value = fc.oneof(
  fc.jsonValue({ depthSize: "small" }).map((json) => JSON.stringify(json)),
  fc.constantFrom(
    "7",
    "-1.5e3",
    "1e999",
    "null",
    '"a\\\\"',
    '"\\\\\\""',
    '"}"',
    '{"id":1,"method":"x"}',
    '[{"id":2}]',
    '"\\u0069"',
    '{"a":"\\\\"}',
  ),
);
const member = fc
  .tuple(space, key, space, space, value, space)
  .map((parts) => `${parts[0]}${parts[1]}${parts[2]}:${parts[3]}${parts[4]}${parts[5]}`);
const objectText = fc.array(member, { maxLength: 8 }).map((members) => `{${members.join(",")}}`);
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

test("id and method are what JSON.parse finds, wherever they stand and wherever the text is cut", () => {
  fc.assert(
    fc.property(objectText, cuts, (text, parts) => {
      expect(scan(text, parts)).toEqual(byParsing(text));
    }),
    { numRuns: 1500 },
  );
});

test("every cut of an awkward text gives the same", () => {
  const text = ' \t{"result":{"id":1,"t":"\\\\\\"}","a":[{"id":"x"}]},"\\u0069d":"é\\"\\\\","method":null}';
  for (let at = 0; at <= Buffer.byteLength(text); at++) {
    expect(scan(text, [at / Buffer.byteLength(text)])).toEqual({ id: 'é"\\', method: undefined });
  }
});

test("text that is no JSON object neither throws nor invents an id from inside", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc
          .array(fc.constantFrom('"', "\\", "{", "}", "[", "]", ":", ",", "id", "7"))
          .map((parts) => parts.join("")),
      ),
      cuts,
      (text, parts) => {
        expect(() => scan(text, parts)).not.toThrow();
      },
    ),
    { numRuns: 1000 },
  );
  expect(scan('[{"id":1}]').id).toBeUndefined();
  expect(scan('listening {"id":1}').id).toBeUndefined();
});

test("an id that is longer than any real one is not kept", () => {
  expect(scan(`{"id":"${"x".repeat(100_000)}","method":"m"}`)).toEqual({ id: undefined, method: "m" });
});
