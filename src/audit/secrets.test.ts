import fc from "fast-check";
import { expect, test } from "vitest";
import { createSecrets } from "./secrets.ts";

const password = 'p@ss/wörd+"q"';

function withPassword() {
  const secrets = createSecrets();
  secrets.register("TOKEN", password);
  return secrets;
}

test("a registered value is replaced by its name and length, everywhere in a text", () => {
  const shown = `⟨secret TOKEN, ${password.length} chars⟩`;
  expect(withPassword().redact(`a ${password} b ${password}`)).toBe(`a ${shown} b ${shown}`);
});

test.each([
  ["base64", Buffer.from(password).toString("base64")],
  ["base64url", Buffer.from(password).toString("base64url")],
  ["basic authentication", Buffer.from(`user:${password}`).toString("base64")],
  ["basic authentication of another length", Buffer.from(`admin:${password}`).toString("base64")],
  ["JSON text", JSON.stringify({ password })],
  ["a URL", encodeURIComponent(password)],
  ["a URL in lower case", encodeURIComponent(password).replace(/%../g, (found) => found.toLowerCase())],
  ["a URL's path", encodeURIComponent(password).replaceAll("%2F", "/")],
  ["a whole URL", encodeURI(password)],
  ["a URL with nothing left as it is", Buffer.from(password).toString("hex").replace(/../g, "%$&")],
  ["a form", new URLSearchParams({ password }).toString()],
])("a registered value is found in the form of %s", (_form, text) => {
  const shown = withPassword().redact(text);
  expect(shown).toContain("⟨secret TOKEN, 13 chars⟩");
  expect(shown.replace(/⟨[^⟩]*⟩/g, "").length).toBeLessThan(text.length - password.length + 2);
});

test("a value of seven characters is not registered, one of eight is", () => {
  const secrets = createSecrets();
  secrets.register("SHORT", "1234567");
  secrets.register("LONG", "abcdefgh");
  expect(secrets.redact("1234567 abcdefgh")).toBe("1234567 ⟨secret LONG, 8 chars⟩");
});

test("of two values the longer one gives the name when one holds the other", () => {
  const secrets = createSecrets();
  secrets.register("INNER", "inner-value");
  secrets.register("OUTER", "an-inner-value-within");
  expect(secrets.redact("x an-inner-value-within y inner-value")).toBe(
    "x ⟨secret OUTER, 21 chars⟩ y ⟨secret INNER, 11 chars⟩",
  );
});

test("nothing of two values that overlap is left", () => {
  const secrets = createSecrets();
  secrets.register("A", "abcdefgh1234");
  secrets.register("B", "1234ijklmnop");
  expect(secrets.redact("-abcdefgh1234ijklmnop-")).toBe("-⟨secret A, 12 chars⟩-");
});

test("no registered value survives in any text made of values and their parts", () => {
  const values = ["aaaaaaaa", "aaaabbbb", "bbbbaaaa", "abababab"];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", "ab", "aaaa", "bbbb", " "), { maxLength: 60 }),
      (parts) => {
        const secrets = createSecrets();
        for (const value of values) secrets.register("S", value);
        const shown = secrets.redact(parts.join(""));
        for (const value of values) expect(shown).not.toContain(value);
      },
    ),
    { numRuns: 200 },
  );
});

test("a text without a registered value stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(!text.includes(password));
      expect(withPassword().redact(text)).toBe(text);
      expect(createSecrets().redact(text)).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test("a JSON value is redacted in strings, keys and numbers, and keeps its shape", () => {
  const secrets = createSecrets();
  secrets.register("PIN", "12345678");
  const value = JSON.parse(
    '{"a":["12345678",12345678,1,null,true],"pin 12345678":{},"__proto__":{"b":"12345678"}}',
  );
  const shown = "⟨secret PIN, 8 chars⟩";
  expect(JSON.stringify(secrets.redactJson(value))).toBe(
    `{"a":["${shown}","${shown}",1,null,true],"pin ${shown}":{},"__proto__":{"b":"${shown}"}}`,
  );
});

test("two keys that become the same text are both kept", () => {
  const secrets = withPassword();
  const encoded = encodeURIComponent(password);
  const redacted = secrets.redactJson({ [password]: 1, [encoded]: 2 });
  expect(Object.values(redacted as object)).toEqual([1, 2]);
});

test("nesting of any depth is redacted", () => {
  const depth = 100_000;
  const value = JSON.parse(`${"[".repeat(depth)}${JSON.stringify(password)}${"]".repeat(depth)}`);
  let inner = withPassword().redactJson(value);
  while (Array.isArray(inner)) inner = inner[0];
  expect(inner).toBe("⟨secret TOKEN, 13 chars⟩");
});

test("a value without a URL form is registered all the same", () => {
  const secrets = createSecrets();
  secrets.register("ODD", "lone-\ud800-surrogate");
  expect(secrets.redact("x lone-\ud800-surrogate")).toBe("x ⟨secret ODD, 16 chars⟩");
});

test("of two values that overlap the longer one gives the name, and two that only touch stay two", () => {
  const secrets = createSecrets();
  secrets.register("SHORT", "abcdefgh");
  secrets.register("LONG", "efghijklmnop");
  expect(secrets.redact("-abcdefghijklmnop-")).toBe("-⟨secret LONG, 12 chars⟩-");
  expect(secrets.redact("-efghijklmnopabcdefgh-")).toBe("-⟨secret LONG, 12 chars⟩⟨secret SHORT, 8 chars⟩-");
  expect(secrets.redact("abcdefghabcdefgh")).toBe("⟨secret SHORT, 8 chars⟩⟨secret SHORT, 8 chars⟩");
});

test("the name of a secret is told to 64 characters", () => {
  const secrets = createSecrets();
  secrets.register("N".repeat(65), "abcdefgh");
  expect(secrets.redact("abcdefgh")).toBe(`⟨secret ${"N".repeat(64)}, 8 chars⟩`);
});
