import { type Behaviour, testsIn } from "./behaviour.ts";

const calls = "test/behaviours/calls.test.ts";
const transcripts = "test/behaviours/transcripts.test.ts";
const stops = "test/behaviours/stops.test.ts";

const unknownName = "an unknown tool name gets an error result that lists the nearest names";
const runsNothing = "input with %s runs nothing, and the error names what is wrong";
const throwsOrDies = "a tool that throws and a server that dies give error results, and the run goes on";
const ownFault =
  "a fault of the host itself is a stop of the run, never an exception, and every call still has its result";
const modelFails = "a model that fails ends the run with its error, and the transcript stays valid";

const faults: Behaviour = {
  id: 15,
  behaviour:
    "An unknown tool name (the nearest names are listed), malformed arguments, a tool that throws and a server that dies are error results, never an exception out of the loop.",
  source: [
    "ARCHITECTURE.md, invariant 8",
    "MCP 2026-07-28, Tools: protocol errors and tool execution errors",
    "Messages API: every tool_use has its tool_result",
  ],
  implementation: [
    "src/calls/resolver.ts",
    "src/calls/nearest-names.ts",
    "src/calls/parse-arguments.ts",
    "src/connections/call-failure.ts",
    "src/connections/pending.ts",
    "src/loop/run.ts",
  ],
  tests: [
    ...testsIn(calls, unknownName, runsNothing, throwsOrDies),
    ...testsIn(transcripts, ownFault),
    ...testsIn(stops, modelFails),
  ],
  removals: [
    {
      aspect: "an unknown name is an error result",
      file: "src/calls/resolver.ts",
      find: "return reject(block, unknownTool(block.name, snapshot));",
      replace: "throw new Error(unknownTool(block.name, snapshot).message);",
      breaks: unknownName,
    },
    {
      aspect: "the nearest names are listed",
      file: "src/calls/resolver.ts",
      find: "const near = nearestNames(name, snapshot.tools);",
      replace: "const near: string[] = [];",
      breaks: unknownName,
    },
    {
      aspect: "malformed arguments are an error result",
      file: "src/calls/parse-arguments.ts",
      find: "if (found?.truncated) {",
      replace: 'if (found?.truncated) {\n    if (text !== "") throw new Error(found.problem);',
      breaks: runsNothing,
    },
    {
      aspect: "what a tool throws is an error result",
      file: "src/loop/settle.ts",
      find: "tellOutcome(call, outcome, context);",
      replace: 'if (outcome.type === "failed") throw new Error(outcome.message);',
      breaks: throwsOrDies,
    },
    {
      aspect: "with the tool's words",
      file: "src/connections/call-failure.ts",
      find: "answered with error ${error.code}: ${error.message}`",
      replace: "answered with error ${error.code}`",
      breaks: throwsOrDies,
    },
    {
      aspect: "the calls of a server that dies end at once",
      file: "src/connections/pending.ts",
      find: "for (const entry of open) entry.answered?.(null);",
      replace: "",
      breaks: throwsOrDies,
    },
    {
      aspect: "never an exception out of the loop",
      file: "src/loop/run.ts",
      find: "return { stop: failed(thrown, settings, ports), message: last };",
      replace: "throw thrown;",
      breaks: ownFault,
    },
    {
      aspect: "a model that fails is a stop",
      file: "src/loop/run.ts",
      find: 'return { type: "failed", error: { code: error.code, message: error.message } };',
      replace: 'return { type: "truncated" };',
      breaks: modelFails,
    },
  ],
};

export const faultBehaviours: readonly Behaviour[] = [faults];
