import type { HostTransport, TransportServerConfig } from "../types/config.ts";
import type { Json, JsonObject } from "../types/json.ts";
import { isObject } from "../util/own.ts";

/** What a tool of a fake server gets with a call. */
export interface FakeCall {
  /** Fires when the host cancels the call (`notifications/cancelled`). */
  readonly signal: AbortSignal;
  /** Sends `notifications/progress`, if the host asked for it. */
  progress(progress: number, total?: number): void;
}

/** A tool of a fake server. Its definition is sent as it is, also where it is wrong. */
export interface FakeTool {
  readonly definition: JsonObject;
  /** The `tools/call` result. What it throws becomes a JSON-RPC error with its message. */
  readonly run: (args: JsonObject, call: FakeCall) => unknown;
}

/** A server inside the process: nothing to start, everything to see. */
export interface FakeServer {
  /** Goes into `createHost({ servers })`. */
  readonly config: TransportServerConfig;
  /** Every call that reached the server: its raw name and arguments, in order. */
  readonly calls: readonly { readonly name: string; readonly arguments: Json }[];
  /** Names of the tools whose calls the host cancelled. */
  readonly cancelled: readonly string[];
  /** How often a page of the tool list was read. */
  lists(): number;
  /** Replaces the tools and sends `notifications/tools/list_changed`. */
  changeTools(tools: readonly FakeTool[]): void;
  /** Ends the connection as a server that dies does: whatever is in flight is never answered. */
  crash(): void;
}

/** A tool that answers with what `run` returns as text. */
export function textTool(
  name: string,
  run: (args: JsonObject, call: FakeCall) => string | Promise<string>,
  definition: JsonObject = {},
): FakeTool {
  return {
    definition: { name, description: name, inputSchema: { type: "object" }, ...definition },
    run: async (args, call) => ({ content: [{ type: "text", text: await run(args, call) }] }),
  };
}

interface Wire extends HostTransport {
  onmessage?: (message: unknown) => void;
  onclose?: () => void;
}

type Send = (message: object) => void;

/** The calls of a fake server: those that came, and those that still run. */
interface FakeCalls {
  readonly made: { readonly name: string; readonly arguments: Json }[];
  readonly cancelled: string[];
  /** Runs the tool and sends its answer. Never rejects. */
  run(id: unknown, params: Record<string, unknown>, offered: readonly FakeTool[]): Promise<void>;
  cancel(id: unknown): void;
}

function createCalls(send: Send): FakeCalls {
  const made: { name: string; arguments: Json }[] = [];
  const cancelled: string[] = [];
  const running = new Map<unknown, { name: string; abort: AbortController }>();
  return {
    made,
    cancelled,
    async run(id, params, offered) {
      const name = String(params.name);
      const args = (isObject(params.arguments) ? params.arguments : {}) as JsonObject;
      const tool = offered.find((candidate) => candidate.definition.name === params.name);
      made.push({ name, arguments: args });
      if (tool === undefined) return send({ id, error: { code: -32602, message: `Unknown tool: ${name}` } });
      const abort = new AbortController();
      running.set(id, { name, abort });
      const progress = progressSender(params, send);
      try {
        send({ id, result: await tool.run(args, { signal: abort.signal, progress }) });
      } catch (thrown) {
        const message = thrown instanceof Error ? thrown.message : String(thrown);
        send({ id, error: { code: -32603, message } });
      } finally {
        running.delete(id);
      }
    },
    cancel(id) {
      const call = running.get(id);
      if (call === undefined) return;
      cancelled.push(call.name);
      call.abort.abort();
    },
  };
}

/** Sends progress of a call whose sender gave a token for it. */
function progressSender(params: Record<string, unknown>, send: Send): FakeCall["progress"] {
  const token = isObject(params._meta) ? params._meta.progressToken : undefined;
  return (progress, total) => {
    if (token === undefined) return;
    send({ method: "notifications/progress", params: { progressToken: token, progress, total } });
  };
}

/** A page of the tool list; the cursor is the number of its first tool. */
function listPage(tools: readonly FakeTool[], cursor: unknown, size: number): object {
  const from = typeof cursor === "string" ? Number(cursor) : 0;
  const end = from + size;
  const part = tools.slice(from, end).map((tool) => tool.definition);
  return end < tools.length ? { tools: part, nextCursor: String(end) } : { tools: part };
}

/** Makes a server that speaks MCP 2025-11-25 over a transport inside the process. */
export function fakeServer(
  tools: readonly FakeTool[],
  settings: Omit<TransportServerConfig, "transport"> & { readonly pageSize?: number } = {},
): FakeServer {
  const { pageSize = 100, ...config } = settings;
  let offered = tools;
  let lists = 0;
  let open = true;
  const send: Send = (message) => {
    if (open) queueMicrotask(() => open && wire.onmessage?.({ jsonrpc: "2.0", ...message }));
  };
  const calls = createCalls(send);

  function answer(message: Record<string, unknown>): void {
    const { id, method } = message;
    const params = isObject(message.params) ? message.params : {};
    if (method === "initialize") send({ id, result: handshake(params.protocolVersion) });
    else if (method === "ping") send({ id, result: {} });
    else if (method === "tools/list") {
      lists += 1;
      send({ id, result: listPage(offered, params.cursor, pageSize) });
    } else if (method === "tools/call") void calls.run(id, params, offered);
    else if (method === "notifications/cancelled") calls.cancel(params.requestId);
    else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
  }

  const wire: Wire = {
    async start() {},
    async send(message) {
      if (!open) throw new Error("The fake server is gone.");
      // Each message is copied, as a wire would: the other side's objects stay its own.
      if (isObject(message)) answer(structuredClone(message));
    },
    async close() {
      if (!open) return;
      open = false;
      wire.onclose?.();
    },
  };

  return {
    config: { ...config, transport: wire },
    calls: calls.made,
    cancelled: calls.cancelled,
    lists: () => lists,
    changeTools(next) {
      offered = next;
      send({ method: "notifications/tools/list_changed" });
    },
    crash() {
      open = false;
      wire.onclose?.();
    },
  };
}

function handshake(wanted: unknown): object {
  return {
    protocolVersion: typeof wanted === "string" ? wanted : "2025-11-25",
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "fake", version: "1.0.0" },
  };
}
