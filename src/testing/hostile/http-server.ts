import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject } from "../../util/own.ts";
import { errorText } from "./answer.ts";
import { httpWire, type WaitingAnswers } from "./http-wire.ts";
import { playScript } from "./play-script.ts";
import type { HostileFault, HostileScript, HostileStep, Seen } from "./script.ts";
import { type HostileCase, scriptOfCase } from "./script-of-case.ts";

/** A hostile server on 127.0.0.1. */
export interface HostileHttpServer {
  readonly url: string;
  /** What it saw so far, in order. */
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

/** Starts a server that plays a case over Streamable HTTP, with its `steps` or its `script`. */
export function startHostileHttpServer(
  hostileCase: HostileCase,
  era: HostileScript["era"] = "legacy",
): Promise<HostileHttpServer> {
  // In the program's own process nothing may happen to anything but the connection.
  return listenHostile(scriptOfCase(hostileCase, era), { suffer: async () => {} });
}

/** What may happen to the process that a server is in. */
export interface ListenSettings {
  readonly port?: number;
  readonly saw?: (seen: Seen) => void;
  readonly suffer: (fault: HostileFault) => Promise<void>;
  /** Default: the answer breaks off. */
  readonly exit?: (code: number) => void;
}

/** Plays a script on a port of 127.0.0.1; without one, on a free one. */
export async function listenHostile(
  script: HostileScript,
  { port = 0, saw = () => {}, suffer, exit }: ListenSettings,
): Promise<HostileHttpServer> {
  const seen: Seen[] = [];
  const note = (one: Seen): void => {
    seen.push(one);
    saw(one);
  };
  const answer = createAnswerer(script, note, { suffer, exit });
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** The next step of a method: each once, then the last one that has a result. */
function createSteps(script: HostileScript): (method: string) => HostileStep | undefined {
  const left = [...(script.steps ?? [])];
  const lasting = new Map<string, HostileStep>();
  return (method) => {
    const index = left.findIndex((step) => step.rpc === method);
    const step = index === -1 ? lasting.get(method) : left.splice(index, 1)[0];
    if (step?.result !== undefined) lasting.set(method, step);
    return step;
  };
}

/** Why the request's session is not the one that this step wants, as a status; null when it is. */
function wrongSession(step: HostileStep, method: string, session: string | undefined): number | null {
  if (step.requireNoSessionHeader === true && session !== undefined) return 400;
  if (method !== "initialize" && step.session !== undefined && session !== step.session) return 404;
  return null;
}

function createAnswerer(
  script: HostileScript,
  saw: (seen: Seen) => void,
  { suffer, exit }: Pick<ListenSettings, "suffer"> & { readonly exit: ListenSettings["exit"] | undefined },
) {
  const sessions = new Set<string>();
  const play = playScript(script);
  const nextStep = createSteps(script);
  const waiting: WaitingAnswers = new Map();
  const refused = new Map<string, number>();

  /** Steps with a status are taken in turn here, as they are no part of what is played. */
  function statusStep(step: HostileStep | undefined, method: string): HostileStep | undefined {
    if (!step?.inTurn?.some(({ status }) => status !== undefined)) return step;
    const turn = refused.get(method) ?? 0;
    refused.set(method, turn + 1);
    return step.inTurn[Math.min(turn, step.inTurn.length - 1)];
  }

  /** The name of a new session, where the script has sessions. */
  function begin(): string | undefined {
    if (script.sessions !== true) return undefined;
    const name = randomUUID();
    sessions.add(name);
    return name;
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const headers = request.headers as Record<string, string>;
    const message = await bodyOf(request);
    if (!isObject(message)) {
      saw({ kind: "invalid", params: message, headers });
      return void response.writeHead(400).end();
    }
    const { id, method, params } = message;
    if (typeof method !== "string" || id === undefined) {
      const kind = typeof method === "string" ? "notification" : "response";
      const answer = message.result ?? { error: message.error };
      saw(typeof method === "string" ? { kind, method, params, headers } : { kind, id, answer, headers });
      waiting.get(String(id))?.(answer);
      return void response.writeHead(202).end();
    }
    saw({ kind: "request", id, method, params, headers });
    const step = nextStep(method);
    const named = headers["mcp-session-id"];
    const unknown = script.sessions === true && named !== undefined && !sessions.has(named);
    const wrong = unknown ? 404 : step === undefined ? null : wrongSession(step, method, named);
    if (wrong !== null) {
      const text = errorText(null, { code: -32001, message: "Session not found" });
      return void response.writeHead(wrong, { "content-type": "application/json" }).end(text);
    }
    const shown = statusStep(step ?? script.methods[method], method);
    if (shown?.status !== undefined) {
      response.writeHead(shown.status, { "content-type": "application/json", ...shown.headers });
      return void response.end(
        typeof shown.body === "string" ? shown.body : JSON.stringify(shown.body ?? null),
      );
    }
    const session = method === "initialize" ? (step?.session ?? begin()) : undefined;
    const wire = httpWire(response, waiting, session, exit ?? (() => response.destroy()), async (fault) => {
      saw({ kind: "fault", params: fault });
      await suffer(fault);
    });
    const answered = await play({ id, method, params }, wire, shown);
    if (answered) response.end();
  };
}
