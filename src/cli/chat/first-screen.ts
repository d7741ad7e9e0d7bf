import type { ServerStatus } from "../../types/events.ts";
import type { Message } from "../../types/message.ts";
import { oneLine } from "../../util/one-line.ts";
import { readableText } from "../../util/readable-text.ts";
import { visibleLine } from "../../util/visible.ts";
import { version } from "../../version.ts";
import { serverLine } from "../show/render-events.ts";
import type { Paint } from "../terminal/paint.ts";
import { count } from "../terminal/units.ts";
import { modelText } from "./commands/model.ts";
import { noServersLines, waitingLine } from "./commands/servers.ts";
import type { Session } from "./session.ts";

/** What a chat begins with: the model, and how to learn more. */
export function firstLine(session: Session, paint: Paint): string {
  return `${paint("bold", "Drawbridge")} ${version} · model: ${modelText(session)} · /help`;
}

function stateText(status: ServerStatus): string {
  const name = visibleLine(status.server);
  if (status.state === "ready") return `${name} (${count(status.tools, "tool")})`;
  return `${name} (${status.state})`;
}

/** Lines of the last answer that are shown when a conversation goes on. */
const mostShownLines = 10;

const textOf = ({ content }: Message) =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

/** Where a conversation that goes on has stopped: the last message of the person and the end of its answer. */
export function continuedLines(messages: readonly Message[], paint: Paint): string[] {
  if (messages.length === 0) return [];
  const asked = messages.findLast((message) => message.role === "user" && textOf(message) !== "");
  const said = messages.findLast((message) => message.role === "assistant");
  const answer = readableText(said === undefined ? "" : textOf(said)).split("\n");
  const left = answer.length - mostShownLines;
  return [
    `The conversation goes on after ${count(messages.length, "message")}.`,
    ...(asked === undefined ? [] : [`> ${oneLine(visibleLine(textOf(asked)), 200)}`]),
    ...(left > 0 ? [`… ${count(left, "line")}`] : []),
    ...answer.slice(-mostShownLines),
  ].map((line) => paint("dim", line));
}

/** The servers with their state on one line; one that failed also says why, and one that waits for an agreement how to give it. */
export function serversLines(
  statuses: readonly ServerStatus[],
  waiting: readonly string[],
  paint: Paint,
): string[] {
  if (statuses.length + waiting.length === 0) return noServersLines.map((line) => paint("dim", line));
  const failed = statuses.filter((status) => status.state === "failed");
  return [
    ...(statuses.length === 0 ? [] : [`servers: ${statuses.map(stateText).join(", ")}`]),
    ...failed.flatMap((status) => serverLine(status, paint) ?? []),
    ...waiting.map((id) => paint("yellow", waitingLine(id))),
  ];
}
