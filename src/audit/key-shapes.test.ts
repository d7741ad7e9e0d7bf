import fc from "fast-check";
import { expect, test } from "vitest";
import { redactKeyShapes } from "./key-shapes.ts";

const random = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const pem = `-----BEGIN RSA PRIVATE KEY-----\nMIIE${random}\n-----END RSA PRIVATE KEY-----`;

test.each([
  ["API key", `sk-ant-api03-${random}`],
  ["API key", `sk-proj-${random}`],
  ["Stripe key", `sk_live_${random}`],
  ["GitHub token", `ghp_${random}`],
  ["GitHub token", `github_pat_${random}`],
  ["GitLab token", `glpat-${random}`],
  ["npm token", `npm_${random}`],
  ["AWS access key", "AKIAABCDEFGHIJKLMNOP"],
  ["Slack token", `xoxb-${random}`],
  ["Google API key", `AIza${random.slice(0, 35)}`],
  ["bearer token", `Bearer ${random}`],
  ["JWT", `eyJhbGciOiJI.${random}.${random}`],
  ["private key", pem],
])("a %s is told by its shape", (name, key) => {
  expect(redactKeyShapes(`see (${key}), then`)).toBe(`see (⟨${name}, ${key.length} chars⟩), then`);
});

test.each([
  "a task-management-for-the-whole-team",
  "sk-learn-is-a-library-for-python",
  "the bearer of this letter",
  "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
  "eyJ is how a JWT begins",
  "AKIAABCDEFGHIJKLMNOPQ",
])("ordinary text stays: %s", (text) => {
  expect(redactKeyShapes(text)).toBe(text);
});

test("the shortest keys are told, and a private key at the very start", () => {
  expect(redactKeyShapes("xoxb-12345678901")).toBe("⟨Slack token, 16 chars⟩");
  expect(redactKeyShapes("xoxb-1234567890")).toBe("xoxb-1234567890");
  expect(redactKeyShapes(`${pem} b`)).toBe(`⟨private key, ${pem.length} chars⟩ b`);
});

test("a private key without its end is hidden up to the end of the text, one after another each by itself", () => {
  expect(redactKeyShapes(`a ${pem} b ${pem} c`)).toBe(
    `a ⟨private key, ${pem.length} chars⟩ b ⟨private key, ${pem.length} chars⟩ c`,
  );
  expect(redactKeyShapes(`a ${pem.slice(0, 60)}`)).toBe("a ⟨private key, 60 chars⟩");
});

test("texts made to be slow are read in the time of their length", () => {
  const hostile = [
    "eyJ",
    "eyJaaaaaaaa.",
    "sk-",
    "-----BEGIN ",
    "Bearer ",
    "xoxb-",
    "-----BEGIN PRIVATE KEY-----",
  ];
  for (const part of hostile) {
    // In quadratic time one of these takes many minutes, and the test's own limit ends it.
    const text = part.repeat(1_000_000 / part.length);
    expect(redactKeyShapes(text).length).toBeLessThanOrEqual(text.length);
  }
});

test("any text is read without an error, and a second reading changes nothing", () => {
  const part = fc.constantFrom("sk-", "ghp_", random, "Bearer ", pem, "-----END ", "eyJhbGciOiJI.", " ", "⟨");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const once = redactKeyShapes(parts.join(""));
      expect(redactKeyShapes(once)).toBe(once);
    }),
    { numRuns: 200 },
  );
});

test.each([
  "sk-",
  "sk_live_",
  "ghp_",
  "github_pat_",
  "glpat-",
  "xoxb-",
  "Bearer ",
  "eyJhbGciOiJI.eyJhbGciOiJI.",
])("a key of any length is told: %s and 12 million characters", (start) => {
  const told = redactKeyShapes(`(${start}${"a1".repeat(6_000_000)})`);
  expect(told.slice(0, 60)).toMatch(/^\(⟨[A-Za-z ]{3,20}, 120000\d\d chars⟩\)$/);
});
