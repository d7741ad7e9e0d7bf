import type { StoredConversation } from "../../index.ts";
import { oneLine } from "../../util/one-line.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import { count } from "../terminal/units.ts";

export interface ConversationsCommand {
  /** Most conversations. */
  readonly limit: number;
  readonly json: boolean;
}

/** Prints the stored conversations, the last written first. Rejects with `store_failed`. */
export async function listStored({ limit, json }: ConversationsCommand): Promise<number> {
  const { listConversations } = await import("../../index.ts");
  const stored = await listConversations({ limit });
  const lines = json ? [visibleLine(JSON.stringify(stored))] : conversationLines(stored);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return exitCodes.answered;
}

/** Longest question that is shown, in characters. */
const questionLength = 60;

/** One conversation a line: its id, when it was last added to, its turns and its first question, escaped. */
export function conversationLines(stored: readonly StoredConversation[]): string[] {
  if (stored.length === 0) return ["No conversations are stored."];
  const rows = stored.map(({ id, lastAt, turns, question }) => [
    visibleLine(id),
    visibleLine(lastAt.slice(0, 16).replace("T", " ")),
    turns === null ? "" : count(turns, "turn"),
    visibleLine(oneLine(question, questionLength)),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
