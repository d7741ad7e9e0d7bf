import type { KeyRule } from "../../../src/models/schema/dialect.ts";
import type { SimulatedStep, SimulatedTurn } from "../../../src/testing/anthropic/turns.ts";
import type {
  TimedTurn,
  WireObject,
  SimulatedStep as WireStep,
} from "../../../src/testing/wire-server/api.ts";
import type { SimulatedRequest } from "../../../src/testing/wire-server/server.ts";
import type { Model } from "../../../src/types/model.ts";
import type { Clock } from "../../../src/types/ports.ts";

/** An image as a request holds it. `data` is base64. */
export interface SeenImage {
  readonly mediaType: string;
  readonly data: string;
}

/** A tool's result as a request holds it, wherever the API puts its parts. */
export interface SeenResult {
  readonly role: "result";
  readonly callId: string;
  readonly text: string;
  readonly images: readonly SeenImage[];
  readonly isError: boolean;
}

interface SeenCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A message of a request, in no API's form. */
export type SeenMessage =
  | { readonly role: "user"; readonly text: string; readonly images: readonly SeenImage[] }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly SeenCall[];
      /** What only the API that wrote it can read: signatures, encrypted reasoning. */
      readonly opaque: readonly string[];
    }
  | SeenResult;

export interface SeenTool {
  readonly name: string;
  readonly schema: WireObject;
}

export interface SeenBody {
  readonly tools: readonly SeenTool[];
  /** Without the system prompt. */
  readonly messages: readonly SeenMessage[];
}

/** The steps of a simulated model, in the form of the Messages API, which can say the most. */
export type CaseTurns = readonly SimulatedStep[] | ((body: WireObject, index: number) => SimulatedStep);

interface CaseApiSettings {
  readonly turns: CaseTurns;
  /** Attempts after the first. Default: 0. */
  readonly maxRetries?: number;
  /** Time of the model's own waits. Default: the machine's. */
  readonly clock?: Clock;
  /** See `SimulatorOptions`. */
  readonly fragmentBytes?: number;
  readonly deltaChars?: number;
  /** Tokens that fit into a request. Default: the simulator's. */
  readonly contextTokens?: number;
}

/** A simulator that runs, and a model that asks it. */
export interface StartedApi extends AsyncDisposable {
  /** A model of the API, that the simulator answers for. */
  modelNamed(name: string): Model;
  readonly requests: SimulatedRequest[];
  /** A request in no API's form. */
  read(request: SimulatedRequest): SeenBody;
}

/** One model API: its adapter and its simulator. */
export interface CaseApi {
  readonly name: string;
  /** Property keys that it takes. */
  readonly keys: KeyRule;
  /** Whether it has a form for a block of this type, or for this reason to stop. */
  canSay(what: string): boolean;
  /** Whether what only the API can read comes back to it with the turn. */
  readonly keepsOpaque: boolean;
  /** Two models of it, the usual one first. */
  readonly models: readonly [string, string];
  start(settings: CaseApiSettings): Promise<StartedApi>;
}

/** Steps in an API's own form. */
export function mapTurns<Turn extends TimedTurn>(
  turns: CaseTurns,
  turnOf: (turn: SimulatedTurn) => Turn,
): readonly WireStep<Turn>[] | ((body: WireObject, index: number) => WireStep<Turn>) {
  const stepOf = (step: SimulatedStep): WireStep<Turn> => {
    const { fault } = step;
    if (fault === undefined) return turnOf(step);
    return { fault: "turn" in fault ? { ...fault, turn: turnOf(fault.turn) } : fault };
  };
  return typeof turns === "function" ? (body, index) => stepOf(turns(body, index)) : turns.map(stepOf);
}

/** The raw text of a call's arguments in a turn of the Messages API. */
export function inputOf(block: WireObject): string {
  return typeof block.partial_json === "string" ? block.partial_json : JSON.stringify(block.input ?? {});
}

/** The results of the newest messages of a request, in order. */
export function newestResults(body: SeenBody): readonly SeenResult[] {
  const newest = body.messages.findLastIndex(({ role }) => role === "assistant");
  return body.messages.slice(newest + 1).filter((message) => message.role === "result");
}

/** The results that came back to the model in a whole run, in order. */
export function allResults({ requests, read }: StartedApi): readonly SeenResult[] {
  const seen = new Set<string>();
  return requests
    .flatMap((request) => newestResults(read(request)))
    .filter(({ callId }) => !seen.has(callId) && seen.add(callId));
}
