import { isObject } from "../../util/own.ts";
import type {
  TimedTurn,
  SimulatedFault as WireFault,
  WireObject,
  SimulatedStep as WireStep,
} from "../wire-server/api.ts";
import type { IssuedItems } from "./issued-items.ts";

/** An item that the simulated model writes. Ids and statuses are added where they are left out. */
export type SimulatedResponseItem =
  | {
      readonly type: "reasoning";
      readonly id?: string;
      /** What is shown of it, one text a part. */
      readonly summary?: readonly string[];
      /** Made when it is left out and the request asks for it. */
      readonly encrypted_content?: string;
    }
  | {
      readonly type: "message";
      readonly id?: string;
      readonly text?: string;
      readonly refusal?: string;
      readonly phase?: "commentary" | "final_answer";
    }
  | {
      readonly type: "function_call";
      readonly id?: string;
      readonly call_id?: string;
      readonly name: string;
      /** An object, or the raw text that the model should write. Default: `{}`. */
      readonly arguments?: string | WireObject;
    };

/** One answer of the simulated model. */
export interface SimulatedResponseTurn extends TimedTurn {
  readonly output: readonly SimulatedResponseItem[];
  /** Why the answer ends before its end. */
  readonly incomplete?: "max_output_tokens" | "content_filter";
  /** The answer fails behind these items. */
  readonly failed?: { readonly code: string; readonly message: string };
  /** Added to the usage that is reported. */
  readonly usage?: WireObject;
}

export type SimulatedResponseFault = WireFault<SimulatedResponseTurn>;

/** A step of the script: an answer, or something that goes wrong. */
export type SimulatedResponseStep = WireStep<SimulatedResponseTurn>;

/** Mints what an item lacks. */
export interface ItemMint {
  /** A new number with each call. */
  next(): number;
  readonly issued: IssuedItems;
  /** Whether the request asks for encrypted reasoning. */
  readonly encrypted: boolean;
}

/** The items of an answer, whole. */
export function completeItems(
  { output, incomplete }: SimulatedResponseTurn,
  mint: ItemMint,
): readonly WireObject[] {
  return output.map((item, index) => {
    const cut = incomplete !== undefined && index === output.length - 1;
    return completeItem(item, mint, cut ? "incomplete" : "completed");
  });
}

function completeItem(item: SimulatedResponseItem, mint: ItemMint, status: string): WireObject {
  switch (item.type) {
    case "reasoning": {
      const id = item.id ?? `rs_sim${mint.next()}`;
      const content = item.encrypted_content ?? mint.issued.encrypt(id);
      const summary = (item.summary ?? []).map((text) => ({ type: "summary_text", text }));
      return { id, type: "reasoning", ...(mint.encrypted ? { encrypted_content: content } : {}), summary };
    }
    case "message": {
      const { text, refusal, phase } = item;
      const content = [
        ...(text === undefined ? [] : [{ type: "output_text", annotations: [], logprobs: [], text }]),
        ...(refusal === undefined ? [] : [{ type: "refusal", refusal }]),
      ];
      const id = item.id ?? `msg_sim${mint.next()}`;
      return {
        id,
        type: "message",
        status,
        content,
        ...(phase === undefined ? {} : { phase }),
        role: "assistant",
      };
    }
    default: {
      const { arguments: given = {} } = item;
      return {
        id: item.id ?? `fc_sim${mint.next()}`,
        type: "function_call",
        status,
        arguments: isObject(given) ? JSON.stringify(given) : given,
        call_id: item.call_id ?? `call_sim${mint.next()}`,
        name: item.name,
      };
    }
  }
}
