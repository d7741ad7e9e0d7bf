import { HostError } from "../errors.ts";
import { codeOf, factsOf } from "./error-members.ts";
import { unsupportedVersion } from "./protocol.ts";
import { summarise } from "./summarise.ts";

/** Texts are cut where they are used, after secrets were taken out: half a secret would not be recognised. */
const whole = Number.POSITIVE_INFINITY;

/**
 * What went wrong with a server, as the end of a sentence about it ("it …" or "its …"). The SDK and the parsers under it
 * have words for the programmer; those of the server itself and of the host stay as they are. Not redacted, and of any length.
 */
export function inOwnWords(thrown: unknown): string {
  if (!(thrown instanceof Error)) return summarise(thrown, whole);
  if (thrown instanceof HostError) return thrown.message;
  if (thrown instanceof SyntaxError) return "its answer is no JSON";
  const code = codeOf(thrown);
  if ("issues" in thrown && Array.isArray(thrown.issues)) return "its answer is no JSON-RPC message";
  const facts = factsOf(thrown);
  if (typeof facts.status === "number") return `it answered with HTTP ${facts.status}`;
  if (code === unsupportedVersion && Array.isArray(facts.supported)) return onlySpeaks(facts.supported);
  if (thrown.name === "SseError" || thrown.constructor.name === "SseError")
    return `its event stream could not be opened${typeof code === "number" ? ` (HTTP ${code})` : ""}`;
  if (typeof code === "string") return fromCode(code, thrown, facts);
  return thrown.message === "fetch failed" && thrown.cause instanceof Error
    ? fromAnswer(thrown.cause)
    : fromMessage(thrown.message);
}

/** Of a server that was asked for its protocol; of any length. */
export function onlySpeaks(versions: readonly unknown[]): string {
  return `it speaks only protocol versions that this host does not: ${summarise(versions, whole)}`;
}

/** Why an answer is none: the word of Node's HTTP parser, or what the host's own `fetch` says. */
function fromAnswer(cause: Error): string {
  const code = codeOf(cause);
  return typeof code === "string" && code.startsWith("HPE_")
    ? `its answer is no HTTP (${code})`
    : `its answer cannot be read: ${fromMessage(cause.message)}`;
}

/** The codes of the SDK's own errors. */
function fromCode(code: string, thrown: Error, facts: Readonly<Record<string, unknown>>): string {
  switch (code) {
    case "ERA_NEGOTIATION_FAILED": {
      if (thrown.cause !== undefined)
        return `it gave no usable answer when it was asked for its protocol (${inOwnWords(thrown.cause)})`;
      return /pinned protocol version/.test(thrown.message)
        ? 'it does not speak 2026-07-28, which its "protocol" asks for'
        : "it gave no usable answer when it was asked for its protocol";
    }
    case "REQUEST_TIMEOUT":
      // The host's own limits carry their reason.
      return /negotiation probe/.test(thrown.message)
        ? "it did not answer in time when it was asked for its protocol"
        : thrown.message;
    case "CONNECTION_CLOSED":
      return "it closed the connection";
    case "NOT_CONNECTED":
      return "it is not connected";
    case "INVALID_RESULT":
      return `its answer${methodOf(facts)} is not what MCP says it must be`;
    case "UNSUPPORTED_RESULT_TYPE":
      return `its answer${methodOf(facts)} is of a kind that this host does not know`;
    case "CLIENT_HTTP_UNEXPECTED_CONTENT":
      return typeof facts.contentType === "string"
        ? `it answered with the content type ${summarise(facts.contentType, whole)} instead of MCP`
        : "it answered with something that has no content type instead of MCP";
    default:
      return fromMessage(thrown.message);
  }
}

function methodOf({ method }: Readonly<Record<string, unknown>>): string {
  return typeof method === "string" ? ` to ${method}` : "";
}

/** The few errors that have no code. */
function fromMessage(message: string): string {
  const version = /^Server's protocol version is not supported: (.*)$/s.exec(message)?.[1];
  if (version !== undefined) return `it speaks the unknown protocol version ${summarise(version, whole)}`;
  const origin = /^Endpoint origin does not match connection origin: (.*)$/s.exec(message)?.[1];
  if (origin !== undefined) return `its event stream wants messages sent to another origin, ${origin}`;
  return /^Connection closed during the version negotiation probe/.test(message)
    ? "it closed the connection"
    : message;
}
