import fc from "fast-check";
import { expect, test } from "vitest";
import { secretForms } from "./secret-forms.ts";

// Each is worked out by hand: what the code makes of it would not tell.
const value = "a b!'()*~?>\"\u00ff";

test("the forms of a value are all there", () => {
  const forms = secretForms(value);
  expect(forms).toEqual(
    expect.arrayContaining([
      value,
      "a b!'()*~?>\\\"\u00ff",
      "a b!'()*~?>\\\\\\\"\u00ff",
      "a b!'()*~?>\\\"\\u00ff",
      "a b!'()*~?>\\\\\\\"\\\\u00ff",
      "612062212728292a7e3f3e22c3bf",
      "612062212728292A7E3F3E22C3BF",
      "YSBiIScoKSp+Pz4iw78=",
      "YSBiIScoKSp+Pz4iw78",
      "YSBiIScoKSp-Pz4iw78=",
      "YSBiIScoKSp-Pz4iw78",
      "a%20b!'()*~%3F%3E%22%C3%BF",
      "a%20b!'()*~%3f%3e%22%c3%bf",
      "a+b!'()*~%3F%3E%22%C3%BF",
      "a%20b%21%27%28%29%2A~%3F%3E%22%C3%BF",
      "a%20b%21%27%28%29%2a~%3f%3e%22%c3%bf",
      "a%20b%21%27%28%29*%7E%3F%3E%22%C3%BF",
      "a+b%21%27%28%29*%7E%3F%3E%22%C3%BF",
      "a%20b%21%27%28%29%2A%7E%3F%3E%22%C3%BF",
    ]),
  );
  expect(new Set(forms).size).toBe(forms.length);
});

test.each([1, 2, 3, 4, 5])(
  "wherever it stands in base64, what it alone decides is a form: %i bytes before",
  (before) => {
    for (const after of ["", "x", "xx", "xxx"]) {
      const whole = Buffer.from(`${"p".repeat(before)}correct horse${after}`).toString("base64");
      const found = secretForms("correct horse").filter((form) => form.length >= 16 && whole.includes(form));
      expect(found).not.toEqual([]);
    }
  },
);

test("a form in base64 holds nothing that is not the value's: it is the longest part that every text around it has", () => {
  // "user:" before moves it by two bytes, so that two bits of its first byte are another character's.
  expect(secretForms("password1234")).toContain("Bhc3N3b3JkMTIzN");
  expect(secretForms("password1234")).toContain("wYXNzd29yZDEyMz");
});

test("a value that has no URL form has the others", () => {
  const forms = secretForms("half\ud800pair");
  expect(forms).toContain("half\ud800pair");
  expect(forms.some((form) => form.includes("%"))).toBe(false);
});

test("no form is shorter than its value, so that none is found in ordinary words", () => {
  const odd = fc.array(fc.constantFrom("http:", "/", "..", "a", "?", "#", " ", "\n", "%2e"), {
    minLength: 8,
  });
  fc.assert(
    fc.property(fc.oneof(fc.string({ minLength: 8, unit: "binary" }), odd), (written) => {
      const text = typeof written === "string" ? written : written.join("");
      for (const form of secretForms(text))
        expect(form.length).toBeGreaterThanOrEqual(Math.min(text.length, 8));
    }),
    { numRuns: 100 },
  );
});
