import type { GrowingReads } from "../types/consent.ts";
import type { ReadSource, ResultLabels, RunReads } from "../types/policy.ts";
import type { ToolRoute } from "../types/tool.ts";
import { isUntrusted, type LabelsOf } from "./labels.ts";

/** What a conversation has read, over all its runs: it only grows, whatever order it is told in. */
export interface ConversationReads {
  /** As the run sees it: the turns of its own results have numbers. */
  forRun(runId: string): GrowingReads;
  /** Takes labelled content of a tool, a resource or a prompt. */
  add(labels: ResultLabels, route: ToolRoute, place: { readonly run: string; readonly turn: number }): void;
  /** Takes content of which nobody knows where it came from. */
  addUnknown(content: Pick<RunReads, "untrusted" | "private">): void;
  /** All of it, for a conversation that goes on from the messages of this one. */
  contents(): readonly LabelledContent[];
}

/** Content of a tool, a resource or a prompt; null where nobody knows whose it is. */
export interface LabelledContent {
  readonly from: ToolRoute | null;
  readonly labels: ResultLabels;
}

/** A question names no more than a few results, so that only so many tools are kept for each label. */
const mostSources = 32;

interface Read extends ToolRoute {
  readonly run: string;
  readonly turn: number;
}

type Label = ReadSource["label"];

export function createConversationReads(labelsOf: LabelsOf): ConversationReads {
  const has: Record<Label, boolean> = { untrusted: false, private: false };
  const newest: Record<Label, Map<string, Read>> = { untrusted: new Map(), private: new Map() };
  /** Null once private content came from nobody knows where. */
  let privateFrom: readonly string[] | null = [];

  function note(label: Label, read: Read): void {
    has[label] = true;
    const reads = newest[label];
    const key = JSON.stringify([read.server, read.tool]);
    // Set anew, so that the oldest stands first.
    reads.delete(key);
    reads.set(key, read);
    const [oldest] = reads.keys();
    if (reads.size > mostSources && oldest !== undefined) reads.delete(oldest);
  }

  const add: ConversationReads["add"] = (labels, route, place) => {
    const read = { ...route, ...place };
    if (isUntrusted(labels)) note("untrusted", read);
    if (!labels.private) return;
    note("private", read);
    if (privateFrom?.includes(route.server) === false) privateFrom = [...privateFrom, route.server];
  };

  function sourcesOf(label: Label, runId: string): ReadSource[] {
    return [...newest[label].values()]
      .reverse()
      .map(({ server, tool, run, turn }) => ({ label, server, tool, turn: run === runId ? turn : null }));
  }

  return {
    forRun: (runId) => ({
      get untrusted() {
        return has.untrusted;
      },
      get private() {
        return has.private;
      },
      get privateFrom() {
        return privateFrom ?? undefined;
      },
      get sources() {
        return [...sourcesOf("private", runId), ...sourcesOf("untrusted", runId)];
      },
      take(tool, turn) {
        const labels = labelsOf(tool);
        if (labels !== null) add(labels, tool.route, { run: runId, turn });
        return labels;
      },
    }),
    add,
    addUnknown(content) {
      has.untrusted ||= content.untrusted;
      has.private ||= content.private;
      if (content.private) privateFrom = null;
    },
    contents() {
      const keys = new Set([...newest.untrusted.keys(), ...newest.private.keys()]);
      const known = [...keys].flatMap((key): LabelledContent[] => {
        const read = newest.untrusted.get(key) ?? newest.private.get(key);
        if (read === undefined) return [];
        const from = { server: read.server, tool: read.tool };
        return [{ from, labels: labelsFor(newest.untrusted.has(key), newest.private.has(key)) }];
      });
      const named = new Set([...newest.private.values()].map(({ server }) => server));
      const lost = has.private && (privateFrom === null || privateFrom.some((server) => !named.has(server)));
      const untold = has.untrusted && newest.untrusted.size === 0;
      return lost || untold ? [...known, { from: null, labels: labelsFor(untold, lost) }] : known;
    },
  };
}

function labelsFor(untrusted: boolean, isPrivate: boolean): ResultLabels {
  return { trusted: !untrusted, openWorld: false, private: isPrivate };
}
