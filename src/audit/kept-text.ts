import type { Json } from "../types/json.ts";
import type { Secrets } from "../types/ports.ts";
import { redactKeyShapes } from "./key-shapes.ts";
import { mapJson } from "./map-json.ts";

/** Texts that a model or a server wrote are kept up to this many characters, arguments apart. */
const maxText = 2_000;
/** Deeper values could not be written as JSON. */
const maxDepth = 200;

/** What others wrote, as the log may keep it. */
export interface KeptText {
  /** A text without secrets, and no longer than a line may be. */
  short(text: string): string;
  /** A value with secrets replaced in all its texts. */
  json(value: Json): Json;
}

export function createKeptText(secrets: Secrets): KeptText {
  const redact = (text: string): string => redactKeyShapes(secrets.redact(text));
  return {
    short(text) {
      const shown = redact(text);
      if (shown.length <= maxText) return shown;
      return `${shown.slice(0, maxText)}… (${shown.length - maxText} more chars)`;
    },
    json: (value) => mapJson(value, { text: redact, maxDepth }),
  };
}
