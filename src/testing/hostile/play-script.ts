import { setTimeout as delay } from "node:timers/promises";
import { isObject, own } from "../../util/own.ts";
import { errorText, ownAnswer, resultAnswer, textAnswer, usualAnswer } from "./answer.ts";
import type { HostileFault, HostileScript, HostileStep, Notification, RawPart } from "./script.ts";

/** A request of the client. */
interface ClientRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
}

/** How the server reaches the client while it answers one request. */
export interface Wire {
  /** Sends a JSON-RPC notification or request, before the answer. */
  message(text: string): Promise<void>;
  /** Sends the answer. */
  answer(text: string): Promise<void>;
  /** Sends bytes that need not be a message. */
  bytes(bytes: Uint8Array): Promise<void>;
  /** Asks the client, and resolves with its whole response. */
  ask(method: string, params: unknown): Promise<unknown>;
  stderr(text: string): void;
  /** Writes so many bytes and returns once they are read. */
  stderrSync(bytes: number): void;
  environment(name: string): string | undefined;
  /** Lets something happen to the server; resolves where it lives on. */
  suffer(fault: HostileFault): Promise<void>;
  exit(code: number): void;
}

const list = <T>(given: T | readonly T[] | undefined): readonly T[] =>
  given === undefined ? [] : Array.isArray(given) ? given : [given as T];

/** Answers a request, by the step `over` when there is one. Resolves with false when no answer will come. */
export type Play = (request: ClientRequest, wire: Wire, over?: HostileStep) => Promise<boolean>;

const momentMs = 50;

/** Plays the script of one server. Each step counts its own turns. */
export function playScript(script: HostileScript): Play {
  const turns = new Map<HostileStep, number>();
  return async (request, wire, over) => {
    const { id, method, params } = request;
    const chosen = named(over ?? own(script.methods, method) ?? {}, params);
    const turn = turns.get(chosen) ?? 0;
    turns.set(chosen, turn + 1);
    const step = chosen.inTurn?.[Math.min(turn, chosen.inTurn.length - 1)] ?? chosen;
    const clientAnswer = await effects(step, request, wire);
    if (step.after !== undefined) void afterwards(step.after, wire);
    if (step.fault !== undefined) {
      await wire.suffer(step.fault);
      if (step.fault.kind !== "stop") return false;
    }
    if (step.hang === true) return false;
    const exits = step.exit !== undefined && step.exit !== false;
    const answered =
      (await unusualAnswer(script, step, request, wire, clientAnswer)) ||
      (await send(ownAnswer(script, step, method, id, turn), wire));
    if (exits) wire.exit(typeof step.exit === "number" ? step.exit : 1);
    else if (!answered) await wire.answer(usualAnswer(script, method, params, id));
    return true;
  };
}

/** What a server does of itself. */
async function afterwards({ notify: told, raw = [], fault, exit }: HostileStep, wire: Wire): Promise<void> {
  await delay(momentMs);
  for (const notification of list(told)) await notify(notification, wire);
  for (const part of raw) if ("utf8" in part) await wire.bytes(new TextEncoder().encode(part.utf8));
  if (fault !== undefined) await wire.suffer(fault);
  if (exit !== undefined && exit !== false) wire.exit(typeof exit === "number" ? exit : 1);
}

/** The step for the name that the request is about. */
function named(step: HostileStep, params: unknown): HostileStep {
  const name = isObject(params) ? (params.name ?? params.uri) : undefined;
  return (typeof name === "string" && step.byName !== undefined ? own(step.byName, name) : undefined) ?? step;
}

/** Everything before the answer. Returns the client's answer to the step's own request. */
async function effects(step: HostileStep, request: ClientRequest, wire: Wire): Promise<unknown> {
  for (const text of list(step.stderr)) wire.stderr(text);
  if (step.stderrSyncBytes !== undefined) wire.stderrSync(step.stderrSyncBytes);
  if (step.delayMs !== undefined) await delay(step.delayMs);
  for (const notification of list(step.notify)) await notify(notification, wire);
  await progress(step, request, wire);
  if (step.asks !== undefined) {
    const { method, params = {} } = step.asks;
    await wire.message(JSON.stringify({ jsonrpc: "2.0", id: "server-asks", method, params }));
    // Somebody is looking at it now.
    await delay(momentMs);
  }
  if (step.serverRequest === undefined) return undefined;
  return wire.ask(step.serverRequest.method, step.serverRequest.params ?? {});
}

async function notify({ method, params, count = 1 }: Notification, wire: Wire): Promise<void> {
  const text = JSON.stringify({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  for (let sent = 0; sent < count; sent++) await wire.message(text);
}

async function progress(step: HostileStep, { params }: ClientRequest, wire: Wire): Promise<void> {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  const progressToken = meta.progressToken;
  const { count = 0, everyMs = 0, total } = step.progress ?? {};
  for (let done = 1; done <= count; done++) {
    await delay(everyMs);
    if (progressToken === undefined) continue;
    const told = { progressToken, progress: done, ...(total === undefined ? {} : { total }) };
    await wire.message(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: told }));
  }
}

async function send(text: string | null, wire: Wire): Promise<boolean> {
  if (text === null) return false;
  await wire.answer(text);
  return true;
}

/** Answers of other forms than a result or an error. Whether there was one. */
async function unusualAnswer(
  script: HostileScript,
  step: HostileStep,
  request: ClientRequest,
  wire: Wire,
  clientAnswer: unknown,
): Promise<boolean> {
  const { id, method } = request;
  if (step.raw !== undefined) {
    for (const part of step.raw) await sendRaw(part, script, request, wire);
    return true;
  }
  if (step.rpcResultChunked !== undefined) {
    const { result, chunkBytes } = step.rpcResultChunked;
    const bytes = new TextEncoder().encode(`${resultAnswer(script, method, id, result)}\n`);
    for (let at = 0; at < bytes.length; at += chunkBytes)
      await wire.bytes(bytes.subarray(at, at + chunkBytes));
    return true;
  }
  if (step.rpcResultFromClientAnswer === true) {
    return send(textAnswer(script, id, JSON.stringify(clientAnswer ?? null)), wire);
  }
  if (step.echoEnv !== undefined) {
    const told = Object.fromEntries(step.echoEnv.map((name) => [name, wire.environment(name) ?? "unset"]));
    return send(textAnswer(script, id, JSON.stringify(told)), wire);
  }
  return false;
}

async function sendRaw(
  part: RawPart,
  script: HostileScript,
  request: ClientRequest,
  wire: Wire,
): Promise<void> {
  const { id, method } = request;
  if ("rpcResult" in part) return wire.answer(resultAnswer(script, method, id, part.rpcResult));
  if ("rpcError" in part) return wire.answer(errorText(id, part.rpcError));
  const bytes =
    "hex" in part
      ? Buffer.from(part.hex, "hex")
      : new TextEncoder().encode(part.utf8.replaceAll('"$id"', JSON.stringify(id)));
  return wire.bytes(bytes);
}
