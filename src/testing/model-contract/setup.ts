import type { Model } from "../../types/model.ts";
import type { Clock } from "../../types/ports.ts";
import type { SimulatedFault, SimulatedStep, TimedTurn } from "../wire-server/api.ts";
import type { SimulatedRequest } from "../wire-server/server.ts";

/** An answer of the simulated model, in no API's form. */
export interface ContractTurn extends TimedTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ContractCall[];
  /** True: the answer was cut at its token limit. */
  readonly cut?: boolean;
}

export interface ContractCall {
  readonly id?: string;
  readonly name: string;
  /** The raw text of the arguments. */
  readonly input: string;
}

export type ContractStep = SimulatedStep<ContractTurn>;
export type ContractFault = SimulatedFault<ContractTurn>;

/** What a behaviour needs started. */
export interface ContractStart {
  readonly steps: readonly ContractStep[];
  /** Attempts after the first. */
  readonly maxRetries: number;
  readonly clock: Clock;
  readonly apiKey: string;
  /** Bytes of the writes that streams are cut into; 0 for one write. */
  readonly fragmentBytes: number;
}

/** A message of a request, in no API's form. A result stands for itself, wherever the API puts it. */
export type SeenMessage =
  | { readonly role: "user"; readonly text: string; readonly images: number }
  | { readonly role: "assistant"; readonly text: string; readonly callIds: readonly string[] }
  | {
      readonly role: "result";
      readonly callId: string;
      readonly text: string;
      readonly images: number;
      /** Whether the request says in a field of its own that the tool failed. */
      readonly isError: boolean;
    };

/** A simulator that runs, and a model that asks it. */
export interface StartedModel {
  readonly model: Model;
  readonly requests: readonly SimulatedRequest[];
  assertDone(): void;
  close(): Promise<void>;
}

/** How the contract reaches one adapter. */
export interface ContractSetup {
  /** The variable that a refused key is told by. */
  readonly keyVariable: string;
  /** True when errors of tools have no field of their own: their text begins with `ERROR`. */
  readonly errorsAsText: boolean;
  /** True when the API writes arguments as objects: what is no JSON never comes, and the API reports it itself. */
  readonly argumentsAreObjects?: boolean;
  start(options: ContractStart): Promise<StartedModel>;
  /** The messages of a request that the simulator saw, without the system's. */
  read(request: SimulatedRequest): readonly SeenMessage[];
}
