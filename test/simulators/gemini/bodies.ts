import type { GeminiRule } from "../../../src/testing/gemini/rules/request-view.ts";
import { mintSignature } from "../../../src/testing/gemini/signatures.ts";

/** The smallest request that a rule refuses, and the nearest one that the API takes. */
export interface RefusalCase {
  readonly rule: GeminiRule;
  readonly name: string;
  readonly refused: unknown;
  readonly message: string;
  readonly accepted: object;
  /** Default: `gemini-3-pro`. */
  readonly model?: string;
  /** False when no source states the words: they only say what is wrong. */
  readonly literal?: false;
}

export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const text = (value: string, extra: object = {}): object => ({ text: value, ...extra });
export const user = (...parts: object[]): object => ({ role: "user", parts });
export const model = (...parts: object[]): object => ({ role: "model", parts });
export const call = (fields: object = {}, extra: object = { thoughtSignature: signature }): object => ({
  functionCall: { name: "t", args: {}, ...fields },
  ...extra,
});
export const response = (fields: object = {}): object => ({
  functionResponse: { name: "t", response: { output: "o" }, ...fields },
});
export const image = (mimeType: string, data: string): object => ({ inlineData: { mimeType, data } });

/** A signature that a simulator gave out. */
export const signature: string = mintSignature("gemini-3-pro", "1");

/** A request that is right but for what it is given. */
export const request = (contents: unknown = [user(text("hello"))], extra: object = {}): object => ({
  contents,
  ...extra,
});

/** A request with one word of the user. */
export const asking = (extra: object): object => request(undefined, extra);

/** A request whose calls were answered. */
export const answered = (calls: readonly object[], responses: readonly object[]): object =>
  request([user(text("go")), model(...calls), user(...responses)]);

export const declaring = (...functionDeclarations: object[]): object =>
  asking({ tools: [{ functionDeclarations }] });

/** A request whose one function has these parameters. */
export const parameters = (schema: object): object => declaring({ name: "t", parameters: schema });

/** The same with one parameter `a`. */
export const parameter = (schema: object, extra: object = {}): object =>
  parameters({ type: "OBJECT", properties: { a: schema }, ...extra });

export const jsonSchema = (schema: unknown): object => declaring({ name: "t", parametersJsonSchema: schema });
