import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ChainPosition,
  type ChainProblem,
  chainLine,
  createChainCheck,
  noHash,
  readChainedLine,
} from "./hash-chain.ts";

/** Record texts with everything that JSON writes in its own way. */
const texts = fc.array(fc.string({ unit: "binary", maxLength: 20 }), { minLength: 2, maxLength: 8 });

function chainOf(records: readonly string[]): { lines: string[]; head: ChainPosition } {
  let head: ChainPosition = { seq: 0, hash: noHash };
  const lines = records.map((text) => {
    const chained = chainLine(head, { text });
    head = chained.position;
    return chained.line;
  });
  return { lines, head };
}

function problemOf(lines: readonly (string | null)[], head?: ChainPosition): ChainProblem | null {
  const check = createChainCheck(head === undefined ? {} : { head });
  for (const line of lines) {
    const problem = check.add(line);
    if (problem !== null) return problem;
  }
  return check.end();
}

test("a chain as it was written is good, with and without its head", () => {
  fc.assert(
    fc.property(texts, (records) => {
      const { lines, head } = chainOf(records);
      expect(problemOf(lines, head)).toBeNull();
      expect(problemOf(lines)).toBeNull();
    }),
    { numRuns: 50 },
  );
});

test("the hash is the sha-256 of the line without its hash member, by any implementation", () => {
  const { line, position } = chainLine({ seq: 0, hash: noHash }, { text: "žluť \ud800" });
  const body = line.replace(/,"hash":"[0-9a-f]{64}"\}$/, "}");
  expect(createHash("sha256").update(body, "utf8").digest("hex")).toBe(position.hash);
  expect(JSON.parse(line)).toEqual({
    v: 1,
    seq: 1,
    prev: noHash,
    text: "žluť \ud800",
    hash: position.hash,
  });
});

test("a change of any one byte is found at its record", () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.integer({ min: 1, max: 255 }), (records, place, flip) => {
      const { lines, head } = chainOf(records);
      const bytes = Buffer.from(lines.join("\n"));
      const at = place % bytes.length;
      const before = bytes.subarray(0, at).filter((byte) => byte === 10).length;
      bytes[at] = (bytes[at] ?? 0) ^ flip;
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      const changed: (string | null)[] = [];
      for (let from = 0; from <= bytes.length; ) {
        const end = bytes.indexOf(10, from);
        const stop = end === -1 ? bytes.length : end;
        try {
          changed.push(decoder.decode(bytes.subarray(from, stop)));
        } catch {
          changed.push(null);
        }
        from = stop + 1;
      }
      expect(problemOf(changed, head)?.seq).toBe(before + 1);
    }),
    { numRuns: 300 },
  );
});

test("a record that was removed, moved, repeated or put in is found, and named by its number", () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (records, first, second) => {
      const { lines, head } = chainOf(records);
      const [a, b] = [first % lines.length, second % lines.length].sort((x, y) => x - y) as [number, number];
      expect(problemOf(lines.toSpliced(a, 1), head)?.seq).toBe(a + 1);
      // A copy right before its original is the original; the original is then the one too many.
      const repeated = lines.toSpliced(b, 0, lines[a] ?? "");
      expect(problemOf(repeated, head)?.seq).toBe(a === b ? b + 2 : b + 1);
      if (a !== b) {
        expect(problemOf(lines.with(a, lines[b] ?? "").with(b, lines[a] ?? ""), head)?.seq).toBe(a + 1);
      }
    }),
    { numRuns: 100 },
  );
});

test("a cut at any line is found by the head", () => {
  fc.assert(
    fc.property(texts, fc.nat(), (records, place) => {
      const { lines, head } = chainOf(records);
      const kept = place % lines.length;
      expect(problemOf(lines.slice(0, kept), head)).toEqual({
        seq: kept + 1,
        problem: `Records ${kept + 1} to ${lines.length} are missing at the end: the file was cut.`,
      });
    }),
    { numRuns: 50 },
  );
});

test("a record replaced by one with a good hash breaks the next one", () => {
  const { lines } = chainOf(["a", "b", "c"]);
  const forged = chainLine(
    { seq: 1, hash: readChainedLine(lines[0] ?? "")?.position.hash ?? "" },
    { text: "x" },
  );
  expect(problemOf(lines.with(1, forged.line))).toEqual({
    seq: 3,
    problem: "Record 3 does not continue record 2: one was replaced.",
  });
});

test("a chain written anew as a whole is found by the head", () => {
  const { head } = chainOf(["a", "b", "c"]);
  expect(problemOf(chainOf(["a", "b", "x"]).lines, head)?.problem).toContain("written anew");
});

test("a chain that is longer than its head is good: the head may be one flush behind", () => {
  const { lines } = chainOf(["a", "b", "c"]);
  expect(problemOf(lines, chainOf(["a", "b"]).head)).toBeNull();
});

test("a line that only looks like a record is none", () => {
  for (const line of ["", "{}", "null", `{"v":1,"hash":"${noHash}"}`, `[1,"hash":"${noHash}"}`]) {
    expect(readChainedLine(line)).toBeNull();
  }
});
