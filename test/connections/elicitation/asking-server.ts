import type { TransportServerConfig } from "../../../src/types/config.ts";
import { type Message, type OwnServer, ownServer } from "../../fixtures/connections/own-server.ts";

/** One `tools/call` that reached the server. */
export interface AskingCall extends Pick<OwnServer, "ask" | "send"> {
  readonly id: unknown;
  readonly tool: string;
  readonly params: Message;
}

export interface AskingServer extends Omit<OwnServer, "transport"> {
  readonly config: TransportServerConfig;
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

/** A server inside the process that can ask for anything in any shape. */
export function askingServer(options: AskingOptions): AskingServer {
  const { era, tools, call, read, instructions } = options;
  const handle =
    (answer: (call: AskingCall) => unknown) =>
    (params: Message, id: unknown): unknown =>
      answer({ id, tool: String(params.name), params, ask, send });
  const { transport, sent, capabilities, send, ask } = ownServer({
    era,
    handshake: {
      capabilities: {
        ...{ tools: {}, logging: {} },
        ...(read === undefined ? {} : { resources: {}, prompts: {} }),
      },
      serverInfo: { name: "asking", version: "1" },
      ...(instructions === undefined ? {} : { instructions }),
    },
    tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })),
    methods: {
      "tools/call": handle(call),
      ...(read === undefined ? {} : { "resources/read": handle(read), "prompts/get": handle(read) }),
    },
  });
  return { config: { ...options.settings, transport }, sent, capabilities, send, ask };
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
