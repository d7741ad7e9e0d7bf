import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { invalidRequest } from "../protocol.ts";
import { standInError } from "../stand-in.ts";
import type { OversizeLine } from "./line-reader.ts";

/** Stands for a server's answer that was too long to keep: the request was carried out. */
export function oversizeAnswer(line: OversizeLine, limit: number): Record<string, unknown> {
  const message = `The server's answer of ${line.bytes} bytes is over the limit of ${limit} bytes and was dropped.`;
  return { jsonrpc: "2.0", id: line.id, error: standInError("oversize", message) };
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
