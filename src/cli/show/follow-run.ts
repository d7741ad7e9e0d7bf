import type { RunEvent } from "../../types/events.ts";
import { eachMarked } from "../terminal/marked-rows.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createEventRenderer } from "./render-events.ts";
import type { StreamText } from "./stream-text.ts";

export interface Followed {
  /** Rules that would allow what nobody could be asked about, as `--allow` takes them. */
  readonly missingRules: readonly string[];
  /** The text of the last message was shown already. */
  readonly answerShown: boolean;
}

/**
 * Prints every event as it happens, to standard error. With `stream` the model's text is shown as it comes; `onEvent`
 * gets each event first and is waited for.
 */
export async function followRun(
  events: AsyncIterable<RunEvent>,
  terminal: Terminal,
  stream: StreamText | null,
  onEvent?: (event: RunEvent) => Promise<void> | void,
): Promise<Followed> {
  const renderer = createEventRenderer(terminal.paint);
  let answerShown = false;
  for await (const event of events) {
    await onEvent?.(event);
    if (event.type === "text_delta" && stream !== null) {
      terminal.waitFor(null);
      stream.write(event.text);
      continue;
    }
    if (event.type === "turn_revoked") stream?.revoke();
    if (event.type === "message_completed") answerShown = stream?.endTurn() === true;
    const lines = event.type === "message_completed" && answerShown ? [] : renderer.lines(event);
    const wait = renderer.waitAfter(event);
    if (lines.length > 0 || wait !== undefined) stream?.breakLine();
    const columns = terminal.columns?.() ?? null;
    for (const line of lines) terminal.line(columns === null ? line : eachMarked(line, columns - 1));
    if (wait !== undefined) terminal.waitFor(wait.what, wait.detail);
  }
  terminal.waitFor(null);
  return { missingRules: renderer.missingRules(), answerShown };
}
