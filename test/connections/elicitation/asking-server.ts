import type { TransportServerConfig } from "../../../src/types/config.ts";
import { isObject } from "../../../src/util/own.ts";

type Message = Record<string, unknown>;

/** One `tools/call` that reached the server. */
export interface AskingCall {
  readonly id: unknown;
  readonly tool: string;
  readonly params: Message;
  /** Sends a request to the host and resolves with its whole answer. */
  ask(method: string, params: unknown, id?: unknown): Promise<Message>;
  send(message: Message): void;
}

export interface AskingServer {
  readonly config: TransportServerConfig;
  /** What the host sent, oldest first. */
  readonly sent: readonly Message[];
  /** What the host says that it answers. */
  capabilities(): unknown;
  send(message: Message): void;
  ask: AskingCall["ask"];
}

export interface AskingOptions {
  readonly era: "modern" | "legacy";
  readonly tools: readonly string[];
  /** The result of a call, or `{ error }`. */
  readonly call: (call: AskingCall) => unknown;
  /** The result of a read or a prompt. Without it the server has neither. */
  readonly read?: (call: AskingCall) => unknown;
  readonly instructions?: string;
  readonly settings?: Omit<TransportServerConfig, "transport">;
}

/** A server inside the process that writes its messages itself, so that it can ask for anything in any shape. */
export function askingServer(options: AskingOptions): AskingServer {
  const { era, tools, instructions } = options;
  const sent: Message[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  let nextId = 1;
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
  const ask: AskingCall["ask"] = (method, params, id = `ask-${nextId++}`) =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });

  const listed = tools.map((name) => ({ name, inputSchema: { type: "object" } }));
  const handshake = {
    capabilities: {
      ...{ tools: {}, logging: {} },
      ...(options.read === undefined ? {} : { resources: {}, prompts: {} }),
    },
    serverInfo: { name: "asking", version: "1" },
    ...(instructions === undefined ? {} : { instructions }),
  };
  const cacheable = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

  async function receive({ id, method, params, result, error }: Message): Promise<void> {
    const given = isObject(params) ? params : {};
    if (method === undefined) waiting.get(id)?.({ result, error });
    else if (method === "server/discover" && era === "modern") {
      announced = isObject(given._meta) ? given._meta["io.modelcontextprotocol/clientCapabilities"] : null;
      send({ id, result: { supportedVersions: ["2026-07-28"], ...handshake, ...cacheable } });
    } else if (method === "initialize" && era === "legacy") {
      announced = given.capabilities;
      send({ id, result: { protocolVersion: "2025-11-25", ...handshake } });
    } else if (method === "tools/list") send({ id, result: { tools: listed, ...cacheable } });
    else if (method === "tools/call" || method === "resources/read" || method === "prompts/get") {
      const handle = method === "tools/call" ? options.call : options.read;
      const answer = await handle?.({ id, tool: String(given.name), params: given, ask, send });
      send({ id, ...(isObject(answer) && "error" in answer ? answer : { result: answer }) });
    } else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
  }

  return {
    config: { ...options.settings, transport: wire },
    sent,
    capabilities: () => announced,
    send,
    ask,
  };
}

export const textResult = (text: string): Message => ({ content: [{ type: "text", text }] });

/** What a modern server answers while it needs something. */
export const inputRequired = (requests: Message, state = "state"): Message => ({
  resultType: "input_required",
  inputRequests: requests,
  requestState: state,
});

/** What every modern server is told beside what the host answers. */
export const extensionsOf = (era: "modern" | "legacy"): Message =>
  era === "modern" ? { extensions: { "io.modelcontextprotocol/tasks": {} } } : {};
