import { expect, test } from "vitest";
import { anthropicSettings } from "./anthropic.ts";

test("a key and a base URL come without the line break of the file they were read from", () => {
  expect(
    anthropicSettings({
      ANTHROPIC_API_KEY: "sk-ant-1234\n",
      ANTHROPIC_BASE_URL: " http://127.0.0.1:8080/x ",
    }),
  ).toEqual({ apiKey: "sk-ant-1234", baseUrl: "http://127.0.0.1:8080/x" });
  expect(anthropicSettings({})).toEqual({ apiKey: "" });
});

test.each([
  ["ANTHROPIC_API_KEY", "sk-ant-1234\nsk-ant-5678"],
  ["ANTHROPIC_API_KEY", "\u201csk-ant-12345678\u201d"],
  ["ANTHROPIC_BASE_URL", "127.0.0.1:8080"],
  ["ANTHROPIC_BASE_URL", "ftp://files.example"],
  ["ANTHROPIC_BASE_URL", "https://ann:secret-word@proxy.example"],
])("%s that can never work is refused by its name, and the value is not told", (variable, value) => {
  const refuse = () => anthropicSettings({ [variable]: value });
  expect(refuse).toThrow(expect.objectContaining({ code: "config_invalid" }));
  expect(refuse).toThrow(new RegExp(`^${variable} (?!.*(sk-ant|8080|files|secret))`));
});
