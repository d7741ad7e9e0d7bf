import { createRecorder } from "../../src/audit/recorder.ts";
import { createSecrets } from "../../src/audit/secrets.ts";
import { createTestClock, type TestClock } from "../../src/testing/clock.ts";
import type { AuditEntry, AuditSink } from "../../src/types/audit.ts";
import type { ConsentContext } from "../../src/types/consent.ts";
import type { Journal, JournalRecord } from "../../src/types/journal.ts";
import type { Usage } from "../../src/types/model.ts";
import type { ApprovedCall, CallOutcome } from "../../src/types/outcome.ts";
import type { ExecutionContext, Secrets } from "../../src/types/ports.ts";
import type { ToolCall } from "../../src/types/tool.ts";
import { keyedHashHex } from "../../src/util/hash.ts";

export const key: Uint8Array = new Uint8Array(32).fill(7);
export const usage: Usage = {
  requests: 1,
  inputTokens: 2,
  outputTokens: 3,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

export function callWith(input: ToolCall["arguments"]): ToolCall {
  const definition = { name: "raw tool", description: "", inputSchema: {}, annotations: {} };
  return {
    id: "call_1",
    tool: {
      alias: "srv__raw_tool",
      route: { server: "srv", tool: "raw tool" },
      definition,
      definitionHash: "d1",
      configHash: "c1",
      trusted: false,
      listed: true,
    },
    arguments: input,
    argumentsJson: JSON.stringify(input),
    warnings: [],
  };
}

export function approve(call: ToolCall): ApprovedCall {
  const by = { type: "rule", tier: "user", rule: "allow srv/*" } as const;
  const decision = { type: "allow", by, reason: "a rule allows it", warnings: [], waitedMs: 5 } as const;
  // Only consent can stamp a call; the recorder reads what lies under the stamp.
  return { call, decision } as unknown as ApprovedCall;
}

export const context: ExecutionContext & ConsentContext = {
  runId: "run_1",
  turn: 3,
  principal: "me",
  origin: "model",
  signal: new AbortController().signal,
  emit: () => {},
  current: () => null,
  grants: { answers: new Map() },
};

interface Recorded {
  readonly entries: readonly AuditEntry[];
  readonly records: readonly JournalRecord[];
  readonly secrets: Secrets;
  readonly clock: TestClock;
  readonly recorder: ReturnType<typeof createRecorder>;
  /** The recorder's settings but for its sink and journal. */
  readonly common: Omit<Parameters<typeof createRecorder>[0], "audit" | "journal">;
}

/** A recorder over a sink and a journal that keep everything and wait for `gate` each time. */
export function record(gate: { audit?: Promise<void>; journal?: Promise<void> } = {}): Recorded {
  const entries: AuditEntry[] = [];
  const records: JournalRecord[] = [];
  const audit: AuditSink = {
    async append(entry) {
      entries.push(entry);
      await gate.audit;
    },
  };
  const journal: Journal = {
    id: "run_1",
    async append(made) {
      records.push(made);
      await gate.journal;
    },
    close: async () => {},
  };
  const secrets = createSecrets();
  const clock = createTestClock(0);
  const common = { secrets, keyedHash: (text: string) => keyedHashHex(key, text), principal: "me", clock };
  return {
    entries,
    records,
    secrets,
    clock,
    recorder: createRecorder({ ...common, audit, journal }),
    common,
  };
}

export function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open: () => open() };
}

export async function settleAll(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

export const answered: Extract<CallOutcome, { type: "answered" }> = {
  type: "answered",
  reply: {
    content: [{ type: "text", text: "žluť" }],
    structuredContent: { n: [12] },
    isError: false,
    repairs: [],
  },
  attempts: 1,
  ms: 9,
};
