import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "../../util/own.ts";
import { answerEvents, answerMessage } from "./answer-events.ts";
import { chooseTurn } from "./chooser.ts";
import { answerFault } from "./faults.ts";
import { createPromptCache } from "./prompt-cache.ts";
import { readRequest } from "./read-request.ts";
import { refuse, writeEvents } from "./respond.ts";
import type { WireObject } from "./rules/request-view.ts";
import { completeTurn, type SimulatedStep } from "./turns.ts";

/** How the simulated API behaves. */
export interface AnthropicSimulatorOptions {
  /**
   * What each request is answered with: a step for each, or a function of the request's body and its number, from 0.
   * Without it a few rules choose: see `chooseTurn`. A refused request uses up no step.
   */
  readonly turns?: readonly SimulatedStep[] | ((body: WireObject, index: number) => SimulatedStep);
  /** Length in bytes of the writes that a stream is cut into, across events and characters. Default: one write. */
  readonly fragmentBytes?: number;
  /** Length in characters of the pieces that texts and arguments are streamed in. Default: 24. */
  readonly deltaChars?: number;
  /** Milliseconds from each request to the first byte of its answer. Default: 0. */
  readonly firstByteMs?: number;
  /** Tokens that fit into a request: over it, the prompt is too long. Default: 1,000,000. */
  readonly contextTokens?: number;
}

/** A request as the simulator saw it, without its key. */
export interface SimulatedRequest {
  /** Lower-case names. The values of `x-api-key` and `authorization` are replaced. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireObject;
  /** The body as it was sent. */
  readonly text: string;
  readonly status: number;
}

export interface AnthropicSimulator {
  /** The base URL, without a path. */
  readonly url: string;
  readonly requests: readonly SimulatedRequest[];
  /** Throws when steps are left over, or when a request came that no step was left for. */
  assertDone(): void;
  close(): Promise<void>;
}

/**
 * Starts a strict stand-in for the Anthropic Messages API on 127.0.0.1. It refuses what the API refuses, with its
 * status and words, streams like it, counts tokens and its prompt cache, and fails on demand.
 */
export async function startAnthropicSimulator(
  options: AnthropicSimulatorOptions = {},
): Promise<AnthropicSimulator> {
  const requests: SimulatedRequest[] = [];
  const script = createScript(options.turns ?? chooseTurn);
  const answer = createAnswerer(options, script, requests);
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "api_error", String(thrown));
    });
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
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

interface Script {
  /** The next step, or null when none is left. */
  next(body: WireObject): SimulatedStep | null;
  assertDone(): void;
}

function createScript(turns: NonNullable<AnthropicSimulatorOptions["turns"]>): Script {
  let asked = 0;
  return {
    next(body) {
      const step = typeof turns === "function" ? turns(body, asked) : (turns[asked] ?? null);
      asked += 1;
      return step;
    },
    assertDone() {
      if (typeof turns !== "function" && asked !== turns.length) {
        throw new Error(`The simulator was asked ${asked} times; its script has ${turns.length} steps.`);
      }
    },
  };
}

type Answerer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function createAnswerer(
  options: AnthropicSimulatorOptions,
  script: Script,
  requests: SimulatedRequest[],
): Answerer {
  const cache = createPromptCache();
  let calls = 0;
  const mintId = (): string => `toolu_sim_${String(++calls).padStart(4, "0")}`;
  return async (request, response) => {
    const { text, body, headers, refusal } = await readRequest(request);
    const journal = (status: number): void => {
      requests.push({ headers, body, text, status });
    };
    if (refusal !== null) {
      journal(refusal.status);
      return refuse(response, refusal.status, refusal.kind, refusal.message);
    }
    const usage = cache.account(body);
    const tokens = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
    const limit = options.contextTokens ?? 1_000_000;
    if (tokens > limit) {
      journal(400);
      const message = `prompt is too long: ${tokens} tokens > ${limit} maximum`;
      return refuse(response, 400, "invalid_request_error", message);
    }
    const step = script.next(body);
    if (step === null) {
      journal(400);
      return refuse(response, 400, "invalid_request_error", "simulator: no step is left for this request");
    }
    const fault = step.fault;
    const turn = fault === undefined ? step : "turn" in fault ? fault.turn : null;
    const wait = (options.firstByteMs ?? 0) + (turn?.delayMs ?? 0);
    if (wait > 0) await delay(wait, undefined, { ref: false });
    if (turn === null) {
      if (fault !== undefined) journal(answerFault(response, fault));
      return;
    }
    journal(200);
    const head = { id: `msg_sim_${requests.length}`, model: String(body.model), usage };
    const complete = completeTurn(turn, mintId);
    if (body.stream !== true && fault === undefined) {
      response.writeHead(200, { "content-type": "application/json", "request-id": `req_${requests.length}` });
      response.end(JSON.stringify(answerMessage(head, complete)));
      return;
    }
    const events = answerEvents(head, complete, options.deltaChars ?? 24);
    await writeEvents(response, events, options.fragmentBytes ?? 0, isObject(fault) ? fault : null);
  };
}
