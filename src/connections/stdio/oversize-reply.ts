import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { OversizeLine } from "./line-reader.ts";

/** JSON-RPC 2.0, section 5.1. */
const internalError = -32603;
const invalidRequest = -32600;

/** Stands for a server's answer that was too long to keep: the request was carried out. */
export function oversizeAnswer(line: OversizeLine, limit: number): Record<string, unknown> {
  return {
    jsonrpc: "2.0",
    id: line.id,
    error: {
      code: internalError,
      message: `The server's answer of ${line.bytes} bytes is over the limit of ${limit} bytes and was dropped.`,
      data: { host: "oversize", bytes: line.bytes, limit, executed: true },
    },
  };
}

/** Our answer to a server's request that was too long to keep. */
export function oversizeRefusal(line: OversizeLine, limit: number): JSONRPCMessage {
  return {
    jsonrpc: "2.0",
    id: line.id ?? "",
    error: {
      code: invalidRequest,
      message: `The request of ${line.bytes} bytes is over this host's limit of ${limit} bytes.`,
    },
  };
}
