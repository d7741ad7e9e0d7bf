import { type Behaviour, testsIn } from "./behaviour.ts";

const calls = "test/behaviours/calls.test.ts";
const consent = "test/behaviours/consent.test.ts";
const wire = "test/behaviours/wire.test.ts";
const executor = "src/execution/executor.test.ts";

const together = "several calls of one turn run together and come back in one user message, in call order";
const neverMixed = "ids are never mixed, also when the model repeats an id within a turn and in a later one";
const oneMessage = "the results of a turn are sent to the Messages API in one user message, in call order";

const parallel: Behaviour = {
  id: 7,
  behaviour:
    "Several calls in one turn run together and come back in one user message, in call order; ids are never mixed, also when the model repeats an id.",
  source: [
    "Messages API: all tool_result blocks in the next user message, first, exactly one for each id",
    "ARCHITECTURE.md, invariant 1",
  ],
  implementation: [
    "src/loop/call.ts",
    "src/loop/run.ts",
    "src/transcript/call-ids.ts",
    "src/execution/executor.ts",
  ],
  tests: [...testsIn(calls, together, neverMixed), ...testsIn(wire, oneMessage)],
  removals: [
    {
      aspect: "they run together",
      file: "src/execution/executor.ts",
      find: "createLimiter(settings.limits.callsPerRun)",
      replace: "createLimiter(1)",
      breaks: together,
    },
    {
      aspect: "one user message",
      file: "src/loop/run.ts",
      find: "const content = [...withNote(results, ports.budget.addResults(calls, results)), ...mapped.trailing];",
      replace:
        'const last = results.at(-1);\n  for (const block of results.slice(0, -1)) ports.transcript.append({ role: "user", content: [block] });\n  const content = last === undefined ? [] : [last];',
      breaks: together,
    },
    {
      aspect: "in call order",
      file: "src/loop/call.ts",
      find: "ports.results.map(settled, context.runId)",
      replace: "ports.results.map([...settled].reverse(), context.runId)",
      breaks: oneMessage,
    },
    {
      aspect: "each result has its own call's id",
      file: "src/loop/settle.ts",
      find: "return { callId: call.id, tool: call.tool, outcome };",
      replace: 'return { callId: "c1", tool: call.tool, outcome };',
      breaks: together,
    },
    {
      aspect: "an id that is repeated in a turn",
      file: "src/transcript/call-ids.ts",
      find: "!used.has(block.id) && !seen.has(block.id) ? block.id",
      replace: "!used.has(block.id) ? block.id",
      breaks: neverMixed,
    },
    {
      aspect: "an id that is repeated in a later turn",
      file: "src/transcript/call-ids.ts",
      find: "!used.has(block.id) && !seen.has(block.id) ? block.id",
      replace: "!seen.has(block.id) ? block.id",
      breaks: neverMixed,
    },
  ],
};

const asWritten = "valid input reaches the server as the JSON that the model wrote";
const runsNothing = "input with %s runs nothing, and the error names what is wrong";

const input: Behaviour = {
  id: 8,
  behaviour:
    "The input is used as JSON data and validated against the tool's schema before anything runs; the error result names the field.",
  source: [
    "MCP 2026-07-28, Tools: inputSchema",
    "Messages API: tool_use.input is an object; partial_json may be invalid",
    "ARCHITECTURE.md, invariant 4",
  ],
  implementation: ["src/calls/resolver.ts", "src/calls/parse-arguments.ts", "src/calls/schema-validator.ts"],
  tests: testsIn(calls, asWritten, runsNothing),
  removals: [
    {
      aspect: "used as JSON data, not as text",
      file: "src/execution/attempt.ts",
      find: "arguments: approved.call.arguments",
      replace: "arguments: { input: approved.call.argumentsJson }",
      breaks: asWritten,
    },
    {
      aspect: "validated against the tool's schema",
      file: "src/calls/resolver.ts",
      find: "validator.check(tool.definition.inputSchema, parsed.value)",
      replace: "validator.check({}, parsed.value)",
      breaks: runsNothing,
    },
    {
      aspect: "the error names the field",
      file: "src/calls/resolver.ts",
      find: 'const problems = check.problems.join("; ");',
      replace: 'const problems = "something is wrong";',
      breaks: runsNothing,
    },
    {
      aspect: "JSON that JSON.parse would silently change is refused",
      file: "src/calls/parse-arguments.ts",
      find: "if (found !== null) return wrong(found.problem);",
      replace: "",
      breaks: runsNothing,
    },
  ],
};

const deniedCall = "a denied call gets an error result with its id, and the conversation goes on";
const nobodyToAsk =
  "with nobody to ask, a call is denied with the true reason and the rule that would allow it";

const denied: Behaviour = {
  id: 9,
  behaviour: "A denied call gets an error result with its id, and the conversation goes on.",
  source: ["ARCHITECTURE.md, invariants 1, 2 and 8", "MCP 2026-07-28, Tools: a human can deny invocations"],
  implementation: [
    "src/consent/consent.ts",
    "src/consent/policy.ts",
    "src/loop/call.ts",
    "src/results/draft.ts",
  ],
  tests: testsIn(consent, deniedCall, nobodyToAsk),
  removals: [
    {
      aspect: "a denied call does not run",
      file: "src/consent/policy.ts",
      find: 'const type = base.effect === "hide" ? "deny" : base.effect;',
      replace: 'const type = "allow" as Assessment["type"];',
      breaks: deniedCall,
    },
    {
      aspect: "an error result",
      file: "src/results/draft.ts",
      find: "return { ...named, isError: true, pieces: notEmpty(pieces, true), pictures: [], asideBytes: 0 };",
      replace: "return { ...named, isError: false, pieces, pictures: [], asideBytes: 0 };",
      breaks: deniedCall,
    },
    {
      aspect: "each call has its own decision",
      file: "src/loop/call.ts",
      find: "verdicts[decided++]",
      replace: "verdicts[decided]",
      breaks: deniedCall,
    },
    {
      aspect: "the model reads what the person said",
      file: "src/consent/consent.ts",
      find: 'message ? `Denied by the person: ${message}` : "Denied by the person."',
      replace: '"Denied by the person."',
      breaks: deniedCall,
    },
    {
      aspect: "the conversation goes on",
      file: "src/loop/settle.ts",
      find: "ports.recorder.denied(verdict, context);",
      replace: 'if (verdict.call.id !== "") throw new Error(verdict.decision.reason);',
      breaks: deniedCall,
    },
    {
      aspect: "where nobody can be asked the reason says so",
      file: "src/consent/consent.ts",
      find: "`${unexpectedReason(assessment)}To allow it, add the rule: ${rule}`",
      replace: '""',
      breaks: nobodyToAsk,
    },
  ],
};

const pastLimit =
  "a call past its time limit becomes an error result, the server is told, and the other calls are unharmed";
const hardLimit = "a call that reports progress without end is given up at its hard limit";
const signOfLife =
  "a call without a sign of life times out, and progress that moves keeps it alive until the hard limit";

const timeLimit: Behaviour = {
  id: 12,
  behaviour:
    "A call past its time limit becomes an error result and notifications/cancelled is sent; the other calls are unharmed.",
  source: [
    "MCP 2025-11-25, Lifecycle: timeouts; Cancellation: notifications/cancelled",
    "ARCHITECTURE.md, invariants 1 and 7",
  ],
  implementation: [
    "src/execution/deadline.ts",
    "src/execution/attempt.ts",
    "src/connections/call.ts",
    "src/connections/abort-call.ts",
    "src/connections/direct-call.ts",
  ],
  tests: [...testsIn(calls, pastLimit, hardLimit), ...testsIn(executor, signOfLife)],
  removals: [
    {
      aspect: "the idle limit",
      file: "src/execution/executor.ts",
      find: "idleMs: limits.callIdleMs",
      replace: "idleMs: limits.callHardMs",
      breaks: pastLimit,
    },
    {
      aspect: "the hard limit",
      file: "src/execution/deadline.ts",
      find: "let hardAt = clock.now() + hardMs;",
      replace: "let hardAt = clock.now() + hardMs * 1_000;",
      breaks: hardLimit,
    },
    {
      aspect: "progress is a sign of life",
      file: "src/execution/attempt.ts",
      find: "deadline.heard();",
      replace: "",
      breaks: pastLimit,
    },
    {
      aspect: "notifications/cancelled is sent",
      file: "src/connections/call.ts",
      find: "onAbort();\n      cancel?.();",
      replace: "onAbort();",
      breaks: pastLimit,
    },
    {
      aspect: "the other calls are unharmed",
      file: "src/connections/abort-call.ts",
      find: 'signal.addEventListener("abort", abort, { once: true });',
      replace: 'signal.addEventListener("abort", () => inFlight.forEach((one) => one()), { once: true });',
      breaks: pastLimit,
    },
  ],
};

export const callBehaviours: readonly Behaviour[] = [parallel, input, denied, timeLimit];
