import fc from "fast-check";
import { hostileTexts } from "./tool-results.ts";

/** A call of the model. */
export interface CallPlan {
  /** The number of a tool among all that are there (from the start again behind the last), or a name that none has. */
  readonly tool: number | string;
  /** Null: arguments that follow the tool's schema. */
  readonly text: string | null;
  readonly id: string | null;
  /** A tool that is there is called as one that was found by a search. */
  readonly asFound: boolean;
}

/** What goes wrong with the request instead, or in the middle of its answer. */
type FaultPlan =
  | { readonly type: "rate_limited"; readonly retryAfter?: number }
  | { readonly type: "overloaded" | "no_answer" | "unauthorized" | "spend_limit" }
  | { readonly type: "html"; readonly status: number }
  | { readonly type: "stream_error"; readonly afterEvents: number }
  | { readonly type: "cut"; readonly afterEvents: number };

/** An answer of the model. */
export interface TurnPlan {
  readonly thinking: string | null;
  readonly redacted: boolean;
  readonly text: string | null;
  readonly calls: readonly CallPlan[];
  /** A reason to stop; null for the usual one. `pause_turn` comes with a call of a tool of the API's own. */
  readonly stop: string | null;
  /** A block of a type that came later than this code. */
  readonly future: boolean;
  readonly fault: FaultPlan | null;
}

/** Names that no server's tool has. */
const unknownNames = [
  "no_such",
  "",
  "日付 ☕",
  "n".repeat(200),
  "s__t.u/v",
  "__proto__",
  "toString",
  "drawbridge__nothing",
  "drawbridge__search_tools",
  "drawbridge__call_tool",
];

/** Arguments that are no JSON, no object, or more than they seem. */
export const oddInputs: readonly string[] = [
  "",
  "  ",
  "null",
  "[1,2]",
  '"text"',
  "42",
  '{"a":',
  '{"a":"cut off',
  '{"a":1,"a":2}',
  '{"a":{"b":1,"b":2}}',
  '{"n":12345678901234567890}',
  '{"n":1e999}',
  '{"s":"\\ud800"}',
  '{"__proto__":{"x":1}}',
  ' { "spaced" : [ ] } ',
  '{"a":1} and words',
  '"{\\"a\\":1}"',
  "{}",
];

const ids = ["dup", "call_x|fc_y", "i".repeat(100), "", "日", "toolu_1", "a b", "__proto__"];

const call: fc.Arbitrary<CallPlan> = fc.record({
  tool: fc.oneof(
    { weight: 9, arbitrary: fc.nat(7) },
    { weight: 1, arbitrary: fc.constantFrom(...unknownNames) },
  ),
  text: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...oddInputs) },
  ),
  id: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...ids) },
  ),
  asFound: fc.integer({ min: 0, max: 5 }).map((chance) => chance === 5),
});

const fault: fc.Arbitrary<FaultPlan> = fc.oneof(
  fc.constantFrom<FaultPlan>(
    { type: "rate_limited" },
    { type: "rate_limited", retryAfter: 1 },
    { type: "overloaded" },
    { type: "no_answer" },
    { type: "html", status: 502 },
    { type: "spend_limit" },
    { type: "unauthorized" },
  ),
  fc.record({ type: fc.constant("stream_error" as const), afterEvents: fc.nat(12) }),
  fc.record({ type: fc.constant("cut" as const), afterEvents: fc.nat(12) }),
);

const rarely = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

export const turnPlan: fc.Arbitrary<TurnPlan> = fc.record({
  thinking: rarely(4, fc.constantFrom("Hm.", "", "น้ำ?")),
  redacted: fc.integer({ min: 0, max: 15 }).map((chance) => chance === 15),
  text: rarely(2, fc.constantFrom(...hostileTexts)),
  calls: fc.oneof(
    { weight: 8, arbitrary: fc.array(call, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(call, { minLength: 8, maxLength: 14 }) },
  ),
  stop: rarely(
    6,
    fc.constantFrom(
      "end_turn",
      "max_tokens",
      "refusal",
      "pause_turn",
      "model_context_window_exceeded",
      "something_new",
    ),
  ),
  future: fc.integer({ min: 0, max: 20 }).map((chance) => chance === 20),
  fault: rarely(12, fault),
});
