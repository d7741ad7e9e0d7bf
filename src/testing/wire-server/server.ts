import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "../../util/own.ts";
import type { SimulatedApi, SimulatedFault, SimulatedStep, TimedTurn, WireObject } from "./api.ts";
import { type ReceivedRequest, receiveRequest } from "./received-request.ts";
import { sendFault, sendFrames, sendJson } from "./respond.ts";
import { createScript, type Script } from "./script.ts";

/** How a simulated API behaves. */
export interface SimulatorOptions<Turn> {
  /**
   * What each request is answered with: a step for each, or a function of the request's body and its number, from 0.
   * Without it a few rules choose. A refused request uses up no step.
   */
  readonly turns?:
    | readonly SimulatedStep<Turn>[]
    | ((body: WireObject, index: number) => SimulatedStep<Turn>);
  /** Length in bytes of the writes that a stream is cut into, across events and characters. Default: one write. */
  readonly fragmentBytes?: number;
  /** Length in characters of the pieces that texts and arguments are streamed in. Default: 24. */
  readonly deltaChars?: number;
  /** Milliseconds from each request to the first byte of its answer. Default: 0. */
  readonly firstByteMs?: number;
  /** The port on 127.0.0.1. Default: any that is free. */
  readonly port?: number;
  /** Told of each request once it is known how it is answered. */
  readonly onRequest?: (request: SimulatedRequest) => void;
}

/** A request as the simulator saw it, without its key. */
export interface SimulatedRequest {
  /** Lower-case names. The values of headers that hold a key are replaced. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireObject;
  /** The body as it was sent. */
  readonly text: string;
  /** Without the query. */
  readonly path: string;
  /** 0 when nothing was answered. */
  readonly status: number;
  /** The words of an answer that is an error; for a fault of the script, its type. */
  readonly refusal?: string;
}

/** A simulated API that runs. */
export interface Simulator {
  /** The base URL, without a path. */
  readonly url: string;
  /** All that ask the model something. */
  readonly requests: readonly SimulatedRequest[];
  /** Throws when steps are left over, or when a request came that no step was left for. */
  assertDone(): void;
  close(): Promise<void>;
}

/** Starts a simulated API on 127.0.0.1. */
export async function startSimulator<Turn extends TimedTurn>(
  options: SimulatorOptions<Turn>,
  api: SimulatedApi<Turn>,
): Promise<Simulator> {
  const requests: SimulatedRequest[] = [];
  const { turns } = options;
  const script = createScript<ReceivedRequest, SimulatedStep<Turn>>(
    typeof turns === "function" ? ({ body }, index) => turns(body, index) : (turns ?? api.choose),
  );
  const answer = createAnswerer(options, api, script, requests);
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, { status: 500, body: { error: { message: String(thrown) } } });
    });
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    assertDone: script.assertDone,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Answerer = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

function createAnswerer<Turn extends TimedTurn>(
  options: SimulatorOptions<Turn>,
  api: SimulatedApi<Turn>,
  script: Script<ReceivedRequest, SimulatedStep<Turn>>,
  requests: SimulatedRequest[],
): Answerer {
  return async (incoming, response) => {
    const request = await receiveRequest(incoming);
    const { headers, body, text, path } = request;
    const journal = (status: number, refusal?: string, aside = false): void => {
      const seen = { headers, body, text, path, status, ...(refusal === undefined ? {} : { refusal }) };
      if (!aside) requests.push(seen);
      options.onRequest?.(seen);
    };
    const direct = api.check(request) ?? null;
    if (direct !== null) {
      journal(direct.status, direct.status < 400 ? undefined : wordsOf(direct.body), direct.aside);
      sendJson(response, direct);
      return;
    }
    const step = script.next(request);
    if (step === null) {
      const message = "simulator: no step is left for this request";
      journal(400, message);
      sendJson(
        response,
        api.refuse({ type: "refused", status: 400, kind: "invalid_request_error", message }),
      );
      return;
    }
    const fault = step.fault;
    const turn = turnOf(step);
    const wait = (options.firstByteMs ?? 0) + (turn?.delayMs ?? 0);
    if (wait > 0) await delay(wait, undefined, { ref: false });
    if (turn === null) {
      if (fault !== undefined) journal(sendFault(response, fault, api), `fault: ${fault.type}`);
      return;
    }
    journal(200, fault === undefined ? undefined : `fault: ${fault.type}`);
    const number = requests.length;
    const order = { request, turn, number, deltaChars: options.deltaChars ?? 24 };
    const { json, frames } = api.answer(order);
    if (!api.streams(request) && fault === undefined) {
      sendJson(response, { status: 200, body: json, headers: api.headers(number) });
      return;
    }
    await sendFrames(response, brokenBy(fault, frames, api.errorFrame), {
      headers: api.headers(number),
      fragmentBytes: options.fragmentBytes ?? 0,
      cut: fault?.type === "cut",
    });
  };
}

/** The words of an error, in any of the forms that APIs give it. */
function wordsOf(body: object): string {
  const error = "error" in body ? body.error : body;
  return isObject(error) && typeof error.message === "string" ? error.message : JSON.stringify(body);
}

function turnOf<Turn extends TimedTurn>(step: SimulatedStep<Turn>): Turn | null {
  if (step.fault === undefined) return step as Turn;
  return "turn" in step.fault ? step.fault.turn : null;
}

/** The frames up to where a fault ends them. */
function brokenBy<Turn>(
  fault: SimulatedFault<Turn> | undefined,
  frames: readonly string[],
  errorFrame: string,
): readonly string[] {
  if (fault === undefined || !("afterEvents" in fault)) return frames;
  const sent = frames.slice(0, fault.afterEvents);
  return fault.type === "stream_error" ? [...sent, errorFrame] : sent;
}
