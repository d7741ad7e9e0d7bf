import { expect, test } from "vitest";
import { modelApiSettings } from "./model-api.ts";

const variables = { key: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL", example: "https://api.openai.com/v1" };

test("key and base URL come from the variables, without blanks around them, and a given base URL wins", () => {
  const environment = { OPENAI_API_KEY: " sk-1\n", OPENAI_BASE_URL: " http://127.0.0.1:1/v1 " };
  expect(modelApiSettings(environment, variables)).toEqual({
    apiKey: "sk-1",
    baseUrl: "http://127.0.0.1:1/v1",
  });
  expect(modelApiSettings(environment, variables, "https://other.example").baseUrl).toBe(
    "https://other.example",
  );
  expect(modelApiSettings({}, variables)).toEqual({ apiKey: "" });
});

test.each([
  [{ OPENAI_API_KEY: "sk-“curly”" }, "OPENAI_API_KEY holds a character"],
  [{ OPENAI_BASE_URL: "api.openai.com" }, "OPENAI_BASE_URL is not an http or https URL, such as https://api"],
  [{ OPENAI_BASE_URL: "ftp://a.example" }, "OPENAI_BASE_URL is not an http or https URL"],
  [{ OPENAI_BASE_URL: "https://me:secret@a.example" }, "OPENAI_BASE_URL holds a user name or password"],
  [{ OPENAI_BASE_URL: "https://a.example/v1?api-version=secret" }, "OPENAI_BASE_URL holds a query"],
  [{ OPENAI_BASE_URL: "https://a.example/v1#secret" }, "OPENAI_BASE_URL holds a query or a fragment"],
])("what can never work is refused by the variable's name alone: %j", (environment, message) => {
  const refused = (): unknown => modelApiSettings(environment, variables);
  expect(refused).toThrow(message);
  expect(refused).not.toThrow(/secret|curly”/);
});
