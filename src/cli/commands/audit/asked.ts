import type { AuditRecord } from "../../../index.ts";
import { visibleLine, visibleText } from "../../../util/visible.ts";
import { formatMs } from "../../terminal/units.ts";
import { sourceText } from "./words.ts";

export type AskedEntry = Extract<
  AuditRecord["entry"],
  { kind: "elicitation_asked" | "elicitation_answered" | "sampling_decided" | "sampling_answered" }
>;

type Row = readonly [label: string, text: string];

/** A record of what a server asked, escaped. */
export function describeAsked(entry: AskedEntry): readonly [title: string, rows: readonly Row[]] {
  const server = visibleLine(entry.server);
  const place: Row = ["run", `${visibleLine(entry.run)}, turn ${entry.turn}`];
  switch (entry.kind) {
    case "elicitation_asked":
      return [
        `${server} asked the person`,
        [
          place,
          ["calls", list(entry.calls)],
          ["message", visibleText(entry.message)],
          ...optional("fields", entry.fields === undefined ? undefined : list(entry.fields)),
          ...optional("url", entry.url),
        ],
      ];
    case "elicitation_answered":
      return [
        `${server} got the answer: ${visibleLine(entry.action)}`,
        [
          place,
          ...optional("reason", entry.reason),
          ...optional("fields", entry.fields === undefined ? undefined : list(entry.fields)),
          ...optional("full hash", entry.contentHash),
          ["waited", formatMs(entry.waitedMs)],
        ],
      ];
    case "sampling_decided":
      return [
        `${server} asked the model: ${visibleLine(entry.decision)}`,
        [
          place,
          ["calls", list(entry.calls)],
          ["by", sourceText(entry.by)],
          ["reason", visibleLine(entry.reason)],
          ["prompt", visibleText(JSON.stringify(entry.prompt, null, 2))],
          ["full hash", visibleLine(entry.promptHash)],
        ],
      ];
    case "sampling_answered":
      return [
        `${server} got the model's answer: ${visibleLine(entry.outcome)}`,
        [
          place,
          ["model", visibleLine(entry.model)],
          ["tokens", `${entry.inputTokens} in, ${entry.outputTokens} out`],
          ["took", formatMs(entry.ms)],
        ],
      ];
  }
}

const list = (texts: readonly string[]): string => texts.map(visibleLine).join(", ");

function optional(label: string, text: string | undefined): readonly Row[] {
  return text === undefined ? [] : [[label, visibleLine(text)]];
}
