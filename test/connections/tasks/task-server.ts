import type { TransportServerConfig } from "../../../src/types/config.ts";
import { isObject } from "../../../src/util/own.ts";

type Message = Record<string, unknown>;

/** What the server can do while it handles a request. */
interface TaskWire {
  send(message: Message): void;
  /** Sends a request to the host and resolves with its whole answer. */
  ask(method: string, params: unknown): Promise<Message>;
}

export interface TaskServerOptions {
  readonly era: "modern" | "legacy";
  /** Of its only tool, `t`. */
  readonly taskSupport?: string;
  /** False: a legacy server without the capability. */
  readonly tasks?: boolean;
  /** The result of `tools/call` and of each method of tasks, or `{ error }`. */
  readonly answers: Readonly<Record<string, (params: Message, wire: TaskWire) => unknown>>;
  readonly settings?: Omit<TransportServerConfig, "transport">;
}

export interface TaskServer {
  readonly config: TransportServerConfig;
  /** What the host sent, oldest first. */
  readonly sent: readonly Message[];
  /** The methods that it was asked for after its tools were listed, oldest first. */
  methods(): readonly string[];
  /** What the host says that it answers. */
  capabilities(): unknown;
}

/** A server inside the process that writes its messages itself, so that its tasks can do anything. */
export function taskServer({ era, answers, ...options }: TaskServerOptions): TaskServer {
  const sent: Message[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  let announced: unknown;
  const wire = {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    start: async () => {},
    async send(message: unknown) {
      const copy: unknown = structuredClone(message);
      if (!isObject(copy)) return;
      sent.push(copy);
      void receive(copy);
    },
    async close() {
      wire.onclose?.();
    },
  };
  const send = (message: Message): void =>
    queueMicrotask(() => wire.onmessage?.({ jsonrpc: "2.0", ...message }));
  const ask: TaskWire["ask"] = (method, params) =>
    new Promise((resolve) => {
      const id = `ask-${waiting.size}`;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const execution =
    options.taskSupport === undefined ? {} : { execution: { taskSupport: options.taskSupport } };
  const cacheable = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  const capabilities = {
    tools: {},
    ...(era === "legacy" && options.tasks !== false
      ? { tasks: { cancel: {}, requests: { tools: { call: {} } } } }
      : {}),
  };
  const handshake = { capabilities, serverInfo: { name: "tasks", version: "1" } };

  async function receive({ id, method, params, result, error }: Message): Promise<void> {
    const given = isObject(params) ? params : {};
    if (method === undefined) waiting.get(id)?.({ result, error });
    else if (method === "server/discover" && era === "modern") {
      announced = isObject(given._meta) ? given._meta["io.modelcontextprotocol/clientCapabilities"] : null;
      send({ id, result: { supportedVersions: ["2026-07-28"], ...handshake, ...cacheable } });
    } else if (method === "initialize" && era === "legacy") {
      announced = given.capabilities;
      send({ id, result: { protocolVersion: "2025-11-25", ...handshake } });
    } else if (method === "tools/list") {
      send({
        id,
        result: { tools: [{ name: "t", inputSchema: { type: "object" }, ...execution }], ...cacheable },
      });
    } else if (typeof method === "string" && Object.hasOwn(answers, method)) {
      const answer = await answers[method]?.(given, { send, ask });
      send({
        id,
        ...(isObject(answer) && "error" in answer && !("taskId" in answer) ? answer : { result: answer }),
      });
    } else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
  }

  return {
    config: { ...options.settings, transport: wire },
    sent,
    methods: () =>
      sent.flatMap(({ method }) =>
        typeof method === "string" && /^(tools\/call|tasks\/)/.test(method) ? [method] : [],
      ),
    capabilities: () => announced,
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
