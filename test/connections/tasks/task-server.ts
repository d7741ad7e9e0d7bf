import type { TransportServerConfig } from "../../../src/types/config.ts";
import { type Message, type OwnServer, ownServer } from "../../fixtures/connections/own-server.ts";

export interface TaskServerOptions {
  readonly era: "modern" | "legacy";
  /** Of its only tool, `t`. */
  readonly taskSupport?: string;
  /** False: a legacy server without the capability. */
  readonly tasks?: boolean;
  /** The result of `tools/call` and of each method of tasks, or `{ error }`. */
  readonly answers: Readonly<
    Record<string, (params: Message, wire: Pick<OwnServer, "ask" | "send">) => unknown>
  >;
  readonly settings?: Omit<TransportServerConfig, "transport">;
}

export interface TaskServer extends Pick<OwnServer, "sent" | "capabilities"> {
  readonly config: TransportServerConfig;
  /** The methods that it was asked for after its tools were listed, oldest first. */
  methods(): readonly string[];
}

/** A server inside the process whose tasks can do anything. */
export function taskServer({ era, answers, ...options }: TaskServerOptions): TaskServer {
  const { taskSupport, tasks = true, settings } = options;
  const takesTasks = era === "legacy" && tasks;
  const execution = taskSupport === undefined ? {} : { execution: { taskSupport } };
  const { transport, sent, capabilities, send, ask } = ownServer({
    era,
    handshake: {
      capabilities: {
        tools: {},
        ...(takesTasks ? { tasks: { cancel: {}, requests: { tools: { call: {} } } } } : {}),
      },
      serverInfo: { name: "tasks", version: "1" },
    },
    tools: [{ name: "t", inputSchema: { type: "object" }, ...execution }],
    methods: Object.fromEntries(
      Object.entries(answers).map(([method, answer]) => [method, (params) => answer(params, { send, ask })]),
    ),
  });
  return {
    config: { ...settings, transport },
    sent,
    methods: () =>
      sent.flatMap(({ method }) =>
        typeof method === "string" && /^(tools\/call|tasks\/)/.test(method) ? [method] : [],
      ),
    capabilities,
  };
}

/** A task as `tasks/get` answers, in the words of both revisions. */
export const task = (status: string, more: Message = {}): Message => ({
  resultType: "complete",
  taskId: "task-1",
  status,
  createdAt: "2026-01-01T00:00:00Z",
  lastUpdatedAt: "2026-01-01T00:00:00Z",
  ...{ ttl: null, ttlMs: null, pollInterval: 1, pollIntervalMs: 1 },
  ...more,
});

/** What a call is answered with that becomes a task. */
export const created = (era: "modern" | "legacy"): Message =>
  era === "modern" ? { ...task("working"), resultType: "task" } : { task: task("working") };

export const never: Promise<never> = new Promise<never>(() => {});
