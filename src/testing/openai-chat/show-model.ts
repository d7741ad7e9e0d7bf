import type { JsonAnswer } from "../wire-server/api.ts";
import type { ReceivedRequest } from "../wire-server/received-request.ts";
import { errorAnswer } from "./errors.ts";
import type { ChatServerKind } from "./server-kind.ts";

/** What a simulated model can do, in Ollama's words. */
export const everyCapability: readonly string[] = ["completion", "tools", "vision"];

/**
 * What Ollama answers beside Chat Completions: what a model can do (`POST /api/show`), and the refusal of tools for one
 * that cannot use them. Null for every other request.
 */
export function answerAboutModel(
  { method, path, body }: ReceivedRequest,
  kind: ChatServerKind,
  capabilities: readonly string[],
): JsonAnswer | null {
  if (kind !== "ollama") return null;
  if (method === "POST" && path === "/api/show") {
    return typeof body.model === "string" && body.model !== ""
      ? { status: 200, body: { details: { family: "simulated" }, capabilities }, aside: true }
      : { status: 400, body: { error: "model is required" }, aside: true };
  }
  const usesTools = Array.isArray(body.tools) && body.tools.length > 0;
  if (!usesTools || capabilities.includes("tools")) return null;
  const message = `registry.ollama.ai/library/${String(body.model)} does not support tools`;
  return errorAnswer(kind, { message });
}
