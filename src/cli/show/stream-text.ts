import { joinerContext, readableText } from "../../util/readable-text.ts";
import type { Paint } from "../terminal/paint.ts";

/** The text of an answer, shown as it comes. */
export interface StreamText {
  /** Takes the next piece of the text, as the model sent it. */
  write(piece: string): void;
  /** What was shown of this turn is void: a mark says so, and the text begins anew. */
  revoke(): void;
  /** Ends the line that the text stands in, so that other lines can follow. Safe to call at any time. */
  breakLine(): void;
  /** The turn is over: ends its line. True when its text was shown. */
  endTurn(): boolean;
}

/** What the next piece decides about: half of a pair of UTF-16 units, a joiner. */
const undecided = /[\u200c\u200d]?[\ud800-\udbff]?$/;

/**
 * Shows text piece by piece, escaped like everything that comes from outside. Each character is written whole, however
 * the pieces cut the text; empty lines before its beginning are left out.
 */
export function createStreamText(output: { write(text: string): unknown }, paint: Paint): StreamText {
  let held = "";
  let before = "";
  let shown = false;
  let inLine = false;

  function put(text: string): void {
    const begins = shown ? text : text.replace(/^\s*\n/, "");
    if (begins === "") return;
    output.write(readableText(begins, before));
    before = (before + begins).slice(-joinerContext);
    shown = true;
    inLine = !begins.endsWith("\n");
  }

  function breakLine(): void {
    if (held !== "") put(held);
    held = "";
    before = "";
    if (inLine) output.write("\n");
    inLine = false;
  }

  return {
    write(piece) {
      const text = held + piece;
      held = undecided.exec(text)?.[0] ?? "";
      put(held === "" ? text : text.slice(0, -held.length));
    },
    revoke() {
      held = "";
      breakLine();
      if (shown) output.write(`${paint("yellow", "⟲ The answer so far is void: it was interrupted.")}\n`);
      shown = false;
    },
    breakLine,
    endTurn() {
      breakLine();
      const was = shown;
      shown = false;
      return was;
    },
  };
}
