import type { JsonObject } from "./json.ts";
import type { DecisionSource } from "./outcome.ts";
import type { ToolAnnotations, ToolRoute } from "./tool.ts";

/** What the results of a run so far have brought in. */
export interface RunReads {
  /** Content of somebody whom the operator does not trust. */
  readonly untrusted: boolean;
  /** Content that is not for everybody. */
  readonly private: boolean;
}

/**
 * All that the policy looks at, for one call. Two kinds follow from it: a call is a *write* unless a trusted server says
 * that the tool only reads, and *open-world* unless a trusted server says that it is not.
 */
export interface CallFacts {
  readonly route: ToolRoute;
  readonly arguments: JsonObject;
  /** Whether the operator trusts the server; the annotations loosen nothing otherwise. */
  readonly trusted: boolean;
  readonly annotations: ToolAnnotations;
  /** The absolute folder that the server works in, or null where it is not known. */
  readonly folder: string | null;
  readonly principal: string;
  /** `headless` where nobody can be asked. */
  readonly mode: "interactive" | "headless";
  readonly reads: RunReads;
  /** `direct` when a person typed the call. */
  readonly origin: "model" | "direct";
}

/** What a policy that is only tried out would have decided, where that differs. */
export interface ShadowVerdict {
  readonly decision: "allow" | "ask" | "deny";
  readonly by: DecisionSource;
  readonly reason: string;
}
