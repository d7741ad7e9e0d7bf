import { expect, test } from "vitest";
import { withoutSecrets } from "./secret-text.ts";

const hide = (what: string) => `\${${what}}`;

test("a secret in JSON is hidden however long it is, and with every escape in it", () => {
  const json = (value: string) => JSON.stringify({ args: value, token: value, name: value }, null, 1);
  expect(withoutSecrets(json('a"b\\'), hide)).toBe(
    '{\n "args": "a\\"b\\\\",\n "token": "${token}",\n "name": "a\\"b\\\\"\n}',
  );
  for (const escaped of ['"', "\\", "a"]) {
    expect(withoutSecrets(`{"token": ${JSON.stringify(escaped.repeat(12_000_000))}}`, hide)).toBe(
      '{"token": "${token}"}',
    );
  }
});

test("a pair without its end stays", () => {
  expect(withoutSecrets('"token": "abc', hide)).toBe('"token": "abc');
  expect(withoutSecrets('"token": "abc\\', hide)).toBe('"token": "abc\\');
  expect(withoutSecrets('"token": "abc\\"', hide)).toBe('"token": "abc\\"');
});

test.each(["sk-", "ghp_", "Bearer ", "eyJhbGciOiJI.eyJhbGciOiJI.", "lin_api_", "A1"])(
  "a key of any length is hidden: %s and 12 million characters",
  (start) => {
    expect(withoutSecrets(`x ${start}${"a1".repeat(6_000_000)} y`, hide)).toBe("x ${key} y");
  },
);

test("runs that only begin like a JWT are read once", () => {
  // In quadratic time this takes many minutes, and the test's own limit ends it.
  const text = "-eyJaaaaaaaa".repeat(1_000_000);
  expect(withoutSecrets(text, hide).length).toBeGreaterThan(0);
});
