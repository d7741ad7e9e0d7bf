import { HostError, type HostErrorData } from "../errors.ts";
import type { ServerConfig } from "../types/config.ts";
import type { HostErrorCode } from "../types/error.ts";
import type { Secrets } from "../types/ports.ts";
import { oneLine } from "../util/one-line.ts";
import { isObject } from "../util/own.ts";
import { codeOf, factsOf } from "./error-members.ts";
import { repairError } from "./ingest-envelope.ts";
import type { WireError } from "./protocol.ts";
import { inOwnWords } from "./sdk-words.ts";

/** What is known of a child process at the moment something went wrong. */
export interface ProcessFacts {
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
  readonly stderr: string;
  /** Lines on standard output that were no message. */
  readonly skippedLines: number;
}

/** Builds the errors of one server: one sentence on what happened and what to do, then its last words. */
export interface ServerFailures {
  make(code: HostErrorCode, what: string, facts?: ProcessFacts | null, cause?: unknown): HostError;
  /** An error of a start, whatever was thrown. */
  fromThrown(thrown: unknown, facts?: ProcessFacts | null): HostError;
}

const lastLines = 8;
const lastCharacters = 1_500;
/** Blank lines and stack frames stand between the reason and the end, and say nothing to a person who starts a server. */
const stackFrame = /^\s*(?:at .*)?$/;

export function createFailures(server: string, config: ServerConfig, secrets: Secrets): ServerFailures {
  const redact = (text: string) => secrets.redact(text);
  const place = describePlace(config, redact);

  function make(code: HostErrorCode, what: string, facts?: ProcessFacts | null, cause?: unknown): HostError {
    const lines = facts ? lastWords(facts) : "";
    // Redacted before anything is cut: half a secret would not be recognised.
    const said = oneLine(redact(what), 1_000).replace(/\.$/, "");
    const text = `Server ${JSON.stringify(server)}${place}: ${said}${exitOf(facts)}.${lines}`;
    const data: HostErrorData = {
      server,
      ...(facts?.exit ? { exitCode: facts.exit.code, exitSignal: facts.exit.signal } : {}),
    };
    return new HostError(code, redact(text), { cause, data });
  }

  function fromThrown(thrown: unknown, facts?: ProcessFacts | null): HostError {
    if (thrown instanceof HostError && thrown.data.server !== undefined) return thrown;
    if (thrown instanceof HostError && thrown.code.startsWith("server_")) {
      return make(thrown.code, thrown.message, facts, thrown);
    }
    if ("url" in config) return fromHttp(thrown, make);
    return make("server_start_failed", `it could not be started: ${inOwnWords(thrown)}`, facts, thrown);
  }

  return { make, fromThrown };
}

/** How a process ended, as the end of a sentence; empty while that is not known. */
export function exitOf(facts: ProcessFacts | null | undefined): string {
  const exit = facts?.exit;
  if (!exit) return "";
  if (exit.code !== null) return `, with exit code ${exit.code}`;
  return exit.signal === null ? "" : `, killed by ${exit.signal}`;
}

function describePlace(config: ServerConfig, redact: (text: string) => string): string {
  if ("command" in config) {
    const line = [config.command, ...(config.args ?? [])].map(quoteWord).join(" ");
    return ` (${oneLine(redact(line), 300)})`;
  }
  if (!("url" in config)) return "";
  // What stands before the host name or behind the path may be a password.
  const url = URL.canParse(config.url) ? new URL(config.url) : null;
  return url === null ? "" : ` (${url.origin}${oneLine(redact(url.pathname), 200)})`;
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

type Make = ServerFailures["make"];

function fromHttp(thrown: unknown, make: Make): HostError {
  const status = httpStatus(thrown);
  if (status === 401 || status === 403) {
    return make(
      "server_unreachable",
      `it refused access (HTTP ${status}). Check its "headers".`,
      null,
      thrown,
    );
  }
  if (status === 404 || status === 405) {
    return make(
      "server_unreachable",
      `there is no MCP server at this URL (HTTP ${status}). Check "url".`,
      null,
      thrown,
    );
  }
  if (status !== null) {
    return make("server_unreachable", `it answered with HTTP ${status}${bodyLine(thrown)}.`, null, thrown);
  }
  const network = networkReason(thrown);
  if (network !== null) {
    return make(
      "server_unreachable",
      `it cannot be reached (${network}). Check "url" and the network.`,
      null,
      thrown,
    );
  }
  const reason = inOwnWords(thrown);
  return make("server_protocol", `it did not answer as an MCP server does: ${reason}`, null, thrown);
}

/** The HTTP status that an SDK error carries, or null. */
export function httpStatus(thrown: unknown): number | null {
  const { status } = factsOf(thrown);
  return typeof status === "number" ? status : null;
}

/** What a server answered in place of a reply; null where it was no HTTP error, or somebody has said it already. */
export function httpAnswer(thrown: unknown): string | null {
  const status = thrown instanceof HostError ? null : httpStatus(thrown);
  return status === null || status < 400 ? null : `it answered with HTTP ${status}${bodyLine(thrown)}`;
}

/** The body of an HTTP error, where it is a short text and no page. Not redacted, and of any length. */
export function bodyLine(thrown: unknown): string {
  const { text: body } = factsOf(thrown);
  const text = typeof body === "string" ? body.trim() : "";
  if (text === "") return "";
  return text.startsWith("<") ? " and a web page instead of MCP" : `: ${jsonRpcWords(text) ?? text}`;
}

function jsonRpcWords(text: string): string | null {
  const message = jsonRpcError(text)?.message;
  return typeof message === "string" && message.trim() !== "" ? message.trim() : null;
}

/** The error in a body that came with the status of one, as servers send it (MCP, Streamable HTTP). */
function jsonRpcError(text: string): Record<string, unknown> | null {
  if (!text.startsWith("{")) return null;
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && isObject(body.error) ? body.error : null;
  } catch {
    return null;
  }
}

/** The server's own answer in an HTTP error; null where there is none. Not redacted, and of any length. */
export function answerInError(thrown: unknown): WireError | null {
  const { text } = factsOf(thrown);
  const error = typeof text === "string" ? jsonRpcError(text.trim()) : null;
  return error === null ? null : repairError(error);
}

/** Why a fetch failed, in the system's word for it (`ECONNREFUSED`, `ENOTFOUND`, …), or null when it did not fail there. */
export function networkReason(thrown: unknown): string | null {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    const code = codeOf(error);
    if (typeof code === "string" && /^(E[A-Z]+|UND_ERR_[A-Z_]+|[A-Z_]*CERT[A-Z_]*)$/.test(code)) return code;
    if (error instanceof AggregateError && error.errors.length > 0) {
      const inner = networkReason(error.errors[0]);
      if (inner !== null) return inner;
    }
  }
  return null;
}

/** What a process said last, as a further sentence; empty where it said nothing. At most 8 lines and 1,500 characters of it. */
export function lastWords({ stderr, skippedLines }: ProcessFacts): string {
  const lines = stderr.split("\n").filter((line) => !stackFrame.test(line));
  const words = lines.slice(-lastLines).join("\n").trimEnd().slice(-lastCharacters);
  const skipped = skippedLines > 0 ? linesSkipped(skippedLines) : "";
  return words === "" ? skipped : `${skipped} The last of its stderr:\n${words}`;
}

function linesSkipped(count: number): string {
  return count === 1
    ? " It wrote 1 line to its standard output that is no MCP message."
    : ` It wrote ${count} lines to its standard output that are no MCP messages.`;
}
