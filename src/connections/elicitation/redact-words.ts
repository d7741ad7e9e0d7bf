import { isObject } from "../../util/own.ts";

/** What a server says to the person; names of fields and values are what it is answered with. */
const words: ReadonlySet<string> = new Set(["message", "title", "description", "enumNames"]);
/** A form is flat: deeper words are of no field. */
const deepest = 8;

/** The parameters of a question with secrets replaced in all words of it, before any of them is cut. */
export function redactWords(params: unknown, redact: (text: string) => string): unknown {
  return redacted(params, redact, false, 0);
}

function redacted(value: unknown, redact: (text: string) => string, isWord: boolean, depth: number): unknown {
  if (typeof value === "string") return isWord ? redact(value) : value;
  if (depth > deepest) return value;
  if (Array.isArray(value)) return value.map((one) => redacted(one, redact, isWord, depth + 1));
  if (!isObject(value)) return value;
  const isNames = depth === propertiesDepth;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      redacted(member, redact, !isNames && words.has(key), depth + 1),
    ]),
  );
}

/** `requestedSchema.properties`: its keys are names of fields. */
const propertiesDepth = 2;
