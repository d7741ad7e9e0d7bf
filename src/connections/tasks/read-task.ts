import { isObject, own } from "../../util/own.ts";
import { type InputRequired, readInputRequired } from "../server-requests/input-required.ts";

const statuses = ["working", "input_required", "completed", "failed", "cancelled"] as const;

/** A call that its server goes on with behind a handle (MCP 2025-11-25 tasks; MCP Tasks extension 2026-07-28). */
export interface Task {
  readonly id: string;
  readonly status: (typeof statuses)[number];
  /** The server's words; empty when it says nothing. */
  readonly text: string;
  /** Another text whenever the server says that something has changed. */
  readonly changed: string;
  /** How long to wait before it is asked about again, milliseconds. */
  readonly pollMs: number;
  /** What the server needs before it goes on; in the modern form only. */
  readonly asks: InputRequired["requests"];
  /** The end of the call, where the modern form carries it. */
  readonly result?: unknown;
  readonly error?: unknown;
}

export const leastPollMs = 500;
const mostPollMs = 30_000;
const usualPollMs = 1_000;
const longestId = 1_000;

/** A task as `tasks/get` answers; null when it is none. */
export function readTask(raw: unknown): Task | null {
  if (!isObject(raw)) return null;
  const [id, named] = [own(raw, "taskId"), own(raw, "status")];
  const status = statuses.find((known) => known === named);
  if (typeof id !== "string" || id === "" || id.length > longestId || status === undefined) return null;
  const text = textOf(raw.statusMessage);
  return {
    id,
    status,
    text,
    changed: [status, text, textOf(raw.lastUpdatedAt)].join("\n"),
    pollMs: readPoll(raw.pollIntervalMs ?? raw.pollInterval),
    asks: readInputRequired(raw).requests,
    result: own(raw, "result"),
    error: own(raw, "error"),
  };
}

/** The task that a server has made of a call instead of answering it; null when the result is the answer. */
export function readCreatedTask(result: unknown): Task | null {
  if (!isObject(result)) return null;
  if (result.resultType === "task") return readTask(result);
  // Revision 2025-11-25 has no discriminator: only an answer has content.
  return own(result, "content") === undefined ? readTask(own(result, "task")) : null;
}

function readPoll(interval: unknown): number {
  if (typeof interval !== "number" || !Number.isFinite(interval)) return usualPollMs;
  return Math.min(Math.max(interval, leastPollMs), mostPollMs);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
