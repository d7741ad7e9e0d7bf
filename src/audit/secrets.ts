import type { Json } from "../types/json.ts";
import type { Secrets } from "../types/ports.ts";
import { mapJson } from "./map-json.ts";
import { secretForms } from "./secret-forms.ts";

/** Shorter values would blank out ordinary words. */
const minLength = 8;

interface Form {
  readonly text: string;
  readonly replacement: string;
}

interface Found {
  readonly start: number;
  end: number;
  readonly replacement: string;
}

/** All places where a form stands in the text, longest form first, overlapping ones included. */
function findAll(text: string, forms: readonly Form[]): Found[] {
  const found: Found[] = [];
  for (const form of forms) {
    if (form.text.length > text.length) continue;
    for (let at = text.indexOf(form.text); at !== -1; at = text.indexOf(form.text, at + 1)) {
      found.push({ start: at, end: at + form.text.length, replacement: form.replacement });
    }
  }
  return found;
}

/** Joins places that overlap, so that no part of either secret is left; the longest form gives the name. */
function replaceAll(text: string, found: Found[]): string {
  const sorted = found.map((place, order) => ({ ...place, order }));
  sorted.sort((a, b) => a.start - b.start || a.order - b.order);
  let result = "";
  let end = 0;
  for (let index = 0; index < sorted.length; ) {
    let place = sorted[index];
    if (place === undefined) break;
    const start = place.start;
    let last = place.end;
    for (index += 1; index < sorted.length; index += 1) {
      const next = sorted[index];
      if (next === undefined || next.start >= last) break;
      last = Math.max(last, next.end);
      if (next.order < place.order) place = next;
    }
    result += text.slice(end, start) + place.replacement;
    end = last;
  }
  return result + text.slice(end);
}

/**
 * A register of values that must never be shown. Each is looked for by value, also as base64, base64url, hex, JSON text
 * and URL-encoded; the cost of a text is one search a form, and nothing while nothing is registered.
 */
export function createSecrets(): Secrets {
  const known = new Set<string>();
  let forms: readonly Form[] = [];

  function redact(text: string): string {
    if (forms.length === 0 || text.length < minLength) return text;
    const found = findAll(text, forms);
    return found.length === 0 ? text : replaceAll(text, found);
  }

  return {
    register(name, value) {
      if (value.length < minLength || known.has(value)) return;
      known.add(value);
      const replacement = `⟨secret ${name.slice(0, 64)}, ${value.length} chars⟩`;
      const added = secretForms(value).map((text) => ({ text, replacement }));
      forms = [...forms, ...added].sort((a, b) => b.text.length - a.text.length);
    },
    redact,
    redactJson(value: Json): Json {
      return forms.length === 0 ? value : mapJson(value, { text: redact });
    },
  };
}
