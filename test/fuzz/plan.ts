import fc from "fast-check";
import type { Json, JsonObject } from "../../src/types/json.ts";
import { wildSchema } from "../models/schemas.ts";
import { sampledTool } from "./sampled-schema.ts";
import { hostileTexts, type ToolAct, toolAct } from "./tool-results.ts";
import { type TurnPlan, turnPlan } from "./turn-plan.ts";

/** A tool of a server. */
export interface ToolPlan {
  readonly name: Json;
  readonly description: Json;
  readonly schema: Json;
  /** Arguments that follow the schema, where it is known to be sound. */
  readonly arguments: JsonObject | null;
  /** What becomes of its calls, in turn; the last one stays. */
  readonly acts: readonly ToolAct[];
}

export interface ServerPlan {
  readonly id: string;
  readonly tools: readonly ToolPlan[];
}

/** One run of the conversation. */
export interface RunPlan {
  /** Which of the models answers: 0 and 1 are of the API that is looked at, the others of the other APIs. */
  readonly model: number;
  readonly input: string;
  readonly images: number;
  readonly turns: readonly TurnPlan[];
  /** The run is aborted after so many of its events; -1: never. */
  readonly abortAfter: number;
}

/** A conversation from its servers to its last run. */
export interface Plan {
  readonly servers: readonly ServerPlan[];
  /** A server with so many more tools. */
  readonly crowd: number;
  /** The limit of this name. */
  readonly offeredTools: number;
  /** The limit of this name: with a small one earlier results are left out. */
  readonly contextTokens: number;
  readonly runs: readonly RunPlan[];
  readonly system: string;
  readonly rules: readonly string[];
  /** See `SimulatorOptions`. */
  readonly fragmentBytes: number;
}

const toolName: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("read", "write", "list_all", "q") },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Json>(
      ...[
        "admin.tools.list",
        "user-profile/update",
        "กาแฟ ☕",
        "",
        " ",
        "a__b",
        "_x_0123456789",
        "x_0123456789",
      ],
      ...["__proto__", "constructor", "hasOwnProperty", "run command", "\ud800", "a\u0000b", "🙂"],
      5,
      null,
    ),
  },
  { weight: 3, arbitrary: fc.integer({ min: 44, max: 70 }).map((length) => "n".repeat(length)) },
);

const soundTool = sampledTool.map(({ schema, arguments: given }) => ({ schema, arguments: given }));
const oddTool = fc
  .oneof(
    wildSchema as fc.Arbitrary<Json>,
    fc.constantFrom<Json>(null, true, "object", [], { type: "string" }),
  )
  .map((schema) => ({ schema, arguments: null }));

const tool: fc.Arbitrary<ToolPlan> = fc
  .record({
    name: toolName,
    description: fc.constantFrom<Json>("Does it.", "", null, "d".repeat(1_100), "half \ud83d", "line\nbreak"),
    shape: fc.oneof({ weight: 4, arbitrary: soundTool }, { weight: 1, arbitrary: oddTool }),
    acts: fc.array(toolAct, { minLength: 1, maxLength: 3 }),
  })
  .map(({ shape, ...rest }) => ({ ...rest, ...shape }));

const serverIds = [
  "s",
  "files",
  "a__b",
  "evil_",
  "my server!",
  "日本",
  "x".repeat(70),
  "__proto__",
  "constructor",
];

const servers: fc.Arbitrary<readonly ServerPlan[]> = fc.uniqueArray(
  fc.record({ id: fc.constantFrom(...serverIds), tools: fc.array(tool, { minLength: 1, maxLength: 4 }) }),
  { minLength: 1, maxLength: 2, selector: ({ id }) => id },
);

const run: fc.Arbitrary<RunPlan> = fc.record({
  model: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.constant(1) },
    { weight: 3, arbitrary: fc.integer({ min: 2, max: 40 }) },
  ),
  input: fc.constantFrom("go on", ...hostileTexts.filter((said) => said.trim() !== "" && said.length < 100)),
  images: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 24 }) },
  ),
  turns: fc.array(turnPlan, { maxLength: 4 }),
  abortAfter: fc.oneof(
    { weight: 6, arbitrary: fc.constant(-1) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }) },
  ),
});

export const plan: fc.Arbitrary<Plan> = fc.record({
  servers,
  crowd: fc.oneof(
    { weight: 60, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(127, 140, 530) },
  ),
  offeredTools: fc.constantFrom(0, 0, 0, 1, 5),
  contextTokens: fc.constantFrom(0, 0, 1_500, 4_000),
  runs: fc.array(run, { minLength: 1, maxLength: 3 }),
  system: fc.constantFrom("", "Be brief.", " ", "half \ud83d"),
  rules: fc.constantFrom<readonly string[]>(
    ["allow */*"],
    ["allow */*"],
    ["allow */*"],
    [],
    ["allow */*", "deny */read"],
    ["allow */*", "hide */write"],
  ),
  // Small pieces cost more than all else: few conversations are enough to show what they break.
  fragmentBytes: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constant(11) },
  ),
});
