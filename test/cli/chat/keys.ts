import type { Input } from "../../../src/cli/terminal/key.ts";

/** A key by its name, as Node tells it. */
export function key(name: string, how: { readonly ctrl?: boolean; readonly meta?: boolean } = {}): Input {
  const { ctrl = false, meta = false } = how;
  const text = name.length === 1 && !ctrl && !meta ? name : "";
  return { type: "key", name, ctrl, meta, text };
}

/** The keys of a text, one for each character. */
export function typed(text: string): Input[] {
  return [...text].map((character) => ({
    type: "key",
    name: /^[a-z0-9]$/.test(character) ? character : "",
    ctrl: false,
    meta: false,
    text: character,
  }));
}
