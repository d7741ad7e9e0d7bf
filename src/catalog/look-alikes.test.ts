import fc from "fast-check";
import { expect, test } from "vitest";
import { findLookAlikes, type Name } from "./look-alikes.ts";

const name = (text: string): Name => {
  const [owner = "", ...rest] = text.split("/");
  return { owner, name: rest.join("/") };
};

function found(...texts: string[]): string[] {
  const names = texts.map(name);
  const alike = findLookAlikes(names);
  return names.flatMap((one) => {
    const other = alike.get(one);
    return other === undefined ? [] : [`${one.owner}/${one.name} ${other.type} ${other.owner}/${other.name}`];
  });
}

test("case, other alphabets, full width, accents, digits and separators make no other name", () => {
  for (const other of [
    "READ_FILE",
    "rеad_file",
    "ｒead_file",
    "réad_file",
    "read_fi1e",
    "read-file",
    "read\u200b_file",
  ]) {
    expect(found("a/read_file", `b/${other}`)).toEqual([
      `a/read_file same b/${other}`,
      `b/${other} same a/read_file`,
    ]);
  }
  expect(found("a/modem", "b/modern")).toHaveLength(2);
});

test("one character more, less or other, and two that are swapped, are one edit", () => {
  for (const other of ["read_files", "ead_file", "read_pile", "raed_file", "read_filee", "xread_file"]) {
    expect(found("a/read_file", `b/${other}`)).toEqual([
      `a/read_file edit b/${other}`,
      `b/${other} edit a/read_file`,
    ]);
  }
  expect(found("a/read_file", "b/read_fi", "c/write_file")).toEqual([]);
});

test("equal names, numbers, short names and names of one server are no look-alikes", () => {
  expect(found("a/search", "b/search")).toEqual([]);
  expect(found("a/read_file", "a/read_files", "a/READ_FILE")).toEqual([]);
  expect(found("a/mail1x", "b/mail2x")).toEqual([]);
  expect(found("a/get", "b/set")).toEqual([]);
});

test("a name that many servers have hides no look-alike of it", () => {
  expect(found("a/read_file", "b/read_file", "c/read_file", "d/read_fila")).toHaveLength(4);
  expect(found("a/read_file", "a/read_fila", "b/read_file")).toEqual(
    ["a/read_file edit a/read_fila"]
      .slice(1)
      .concat(["a/read_fila edit b/read_file", "b/read_file edit a/read_fila"]),
  );
});

/** Edits between two texts, the slow way. */
function isOneEditSlowly(a: string, b: string): boolean {
  const edits = new Set<string>();
  for (let at = 0; at <= a.length; at++) {
    edits.add(a.slice(0, at) + a.slice(at + 1));
    const [one, next] = [a[at], a[at + 1]];
    if (one !== undefined && next !== undefined) edits.add(a.slice(0, at) + next + one + a.slice(at + 2));
    for (const letter of "abc") {
      edits.add(a.slice(0, at) + letter + a.slice(at));
      edits.add(a.slice(0, at) + letter + a.slice(at + 1));
    }
  }
  return a !== b && edits.has(b);
}

test("whether a name is flagged is what comparing all with all would say, whatever the order", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 5, maxLength: 7 });
  const names = fc.array(fc.record({ owner: fc.constantFrom("x", "y", "z"), name: word }), { maxLength: 14 });
  fc.assert(
    fc.property(names, (some) => {
      const alike = findLookAlikes(some, 0);
      expect(findLookAlikes(some)).toEqual(alike);
      for (const one of some) {
        const expected = some.some(
          (other) => other.owner !== one.owner && isOneEditSlowly(one.name, other.name),
        );
        expect(alike.has(one), `${one.owner}/${one.name}`).toBe(expected);
      }
      const backwards = findLookAlikes([...some].reverse(), 0);
      for (const one of some) expect(backwards.get(one)).toEqual(alike.get(one));
    }),
    { numRuns: 300 },
  );
});

test("any two names are flagged both or neither, whatever characters they hold", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom("__proto__", "constructor", "__prot0__", "\ud800", "toString", ""),
  );
  fc.assert(
    fc.property(text, text, (one, two) => {
      const names = [
        { owner: "a", name: one },
        { owner: "b", name: two },
      ];
      const alike = findLookAlikes(names);
      expect(alike.has(names[0] as Name)).toBe(alike.has(names[1] as Name));
    }),
    { numRuns: 300 },
  );
});

test("what ten thousand names share is kept a few times only", () => {
  const hostile = Array.from({ length: 10_000 }, (_, index): Name => {
    return { owner: `s${index % 3}`, name: `toolx${String.fromCodePoint(0x4e00 + index)}` };
  });
  expect(findLookAlikes(hostile).size).toBe(10_000);
});
