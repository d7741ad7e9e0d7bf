import type { ConversationReads } from "../consent/conversation-reads.ts";
import type { JournalReading } from "../types/journal.ts";
import type { ResultLabels } from "../types/policy.ts";
import { builtinServer, type ToolRoute } from "../types/tool.ts";
import { isObject } from "../util/own.ts";
import { addBrought } from "./brought.ts";

/**
 * Fills in what a stored conversation has read, from its journal. Where that does not say enough, because a record is
 * damaged, a run is of an earlier version or a task may end only now, it counts as having read both kinds.
 */
export function readsOfJournal({ records, unreadable }: JournalReading, reads: ConversationReads): void {
  const routes = new Map<string, ToolRoute>();
  const open = new Set<string>();
  let unsure = unreadable > 0;
  let turn = 0;
  for (const record of records) {
    const { kind, run, call, message } = record;
    if (kind === "run_started") {
      turn = 0;
      unsure ||= record.labelled !== true;
    }
    if (kind === "message_appended" && isObject(message) && message.role === "assistant") turn += 1;
    if (kind === "content_read") unsure ||= !tookContent(record, reads);
    if (typeof run !== "string" || typeof call !== "string") continue;
    if (kind === "call_intended") {
      const route = readRoute(record);
      if (route !== null) routes.set(call, route);
    }
    if (kind === "call_task") open.add(call);
    if (kind !== "call_settled") continue;
    open.delete(call);
    const labels = readLabels(record.labels);
    const route = routes.get(call);
    // The host's own tools have no labels.
    if (record.labels === undefined && route?.server === builtinServer) continue;
    if (labels === null || route === undefined) unsure = true;
    else reads.add(labels, route, { run, turn });
  }
  if (unsure || open.size > 0) reads.addUnknown({ untrusted: true, private: true });
}

function tookContent(
  { run, from, labels: stored }: Readonly<Record<string, unknown>>,
  reads: ConversationReads,
): boolean {
  const labels = readLabels(stored);
  const route = isObject(from) ? readRoute(from) : null;
  if (labels === null || (from !== null && route === null)) return false;
  addBrought({ from: route, labels }, reads, String(run));
  return true;
}

function readRoute({ server, tool }: Readonly<Record<string, unknown>>): ToolRoute | null {
  return typeof server === "string" && typeof tool === "string" ? { server, tool } : null;
}

function readLabels(labels: unknown): ResultLabels | null {
  if (!isObject(labels)) return null;
  const { trusted, openWorld, private: isPrivate } = labels;
  if (typeof trusted !== "boolean" || typeof openWorld !== "boolean" || typeof isPrivate !== "boolean") {
    return null;
  }
  return { trusted, openWorld, private: isPrivate };
}
