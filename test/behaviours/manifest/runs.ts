import { type Behaviour, testsIn } from "./behaviour.ts";

const stops = "test/behaviours/stops.test.ts";
const transcripts = "test/behaviours/transcripts.test.ts";
const wire = "test/behaviours/wire.test.ts";

const limitEnds = "the turn limit ends the run with its stop and a valid transcript";
const limitDefault = "the turn limit is 20 unless it is set";

const turnLimit: Behaviour = {
  id: 14,
  behaviour: "A turn limit (20 unless set) ends the run with its stop reason and a valid transcript.",
  source: ["DESIGN: defaults", "ARCHITECTURE.md, invariants 1 and 8"],
  implementation: ["src/budget/budget.ts", "src/config/limits.ts", "src/loop/run.ts"],
  tests: testsIn(stops, limitEnds, limitDefault),
  removals: [
    {
      aspect: "the limit ends the run",
      file: "src/budget/budget.ts",
      find: "if (turns >= limits.turns)",
      replace: "if (turns > limits.turns)",
      breaks: limitEnds,
    },
    {
      aspect: "with its stop reason",
      file: "src/budget/budget.ts",
      find: 'return { type: "turn_limit", limit: limits.turns };',
      replace: 'return { type: "answered" };',
      breaks: limitEnds,
    },
    {
      aspect: "with a valid transcript",
      file: "src/loop/run.ts",
      find: "await answerCalls(turn, last,",
      replace:
        "const spent = ports.budget.check();\n      if (spent !== null) return { stop: spent, message: last };\n      await answerCalls(turn, last,",
      breaks: limitEnds,
    },
    {
      aspect: "20 unless set",
      file: "src/config/limits.ts",
      find: "turns: 20,",
      replace: "turns: 21,",
      breaks: limitDefault,
    },
  ],
};

const whateverReason = "calls are run whatever the stop reason says: %s";
const noCalls = "a turn without calls ends the run although its stop reason speaks of tools";
const cutText =
  "a text cut off at the token limit is asked for again with more room, and nothing of it is kept";
const moreRoom =
  "a call cut off at the token limit is never run; it is answered, and the model gets more room once";
const secondCut = "a second cut call in a row ends the run as truncated, with a valid transcript";
const cutOnWire =
  "a call that the token limit cut off is not run, however whole it looks, and the API takes what follows";
const paused = "a paused turn is sent back unchanged and resumed without a word in between";
const pausesBounded = "pauses in a row are bounded";
const refusal =
  "a refusal ends the run with its explanation; nothing of it is stored and none of its calls is run";
const empty = "an empty turn is not stored: the model is asked once more, and a second one ends the run";
const fullWindow = "a full context window ends the run, and calls in that turn are answered but not run";

const ends: Behaviour = {
  id: 16,
  behaviour:
    "Only a turn without tool calls ends the run; max_tokens, pause_turn, refusal, a full context window and an empty turn are each handled; a truncated call is never run.",
  source: [
    "Messages API: stop_reason",
    "ARCHITECTURE.md, the loop: assess by the blocks, the stop reason refines",
  ],
  implementation: [
    "src/loop/assess.ts",
    "src/loop/run.ts",
    "src/loop/call.ts",
    "src/models/anthropic/stream.ts",
  ],
  tests: [
    ...testsIn(stops, whateverReason, noCalls, cutText, moreRoom, secondCut),
    ...testsIn(stops, paused, pausesBounded, refusal, empty, fullWindow),
    ...testsIn(wire, cutOnWire),
  ],
  removals: [
    {
      aspect: "a turn with calls goes on, whatever its stop reason",
      file: "src/loop/assess.ts",
      find: 'if (calls.length > 0) return { type: "run_calls", tries: firstTries(tries.maxTokens) };',
      replace: 'if (stopReason === "tool_use") return { type: "run_calls", tries };',
      breaks: whateverReason,
    },
    {
      aspect: "a turn without calls ends the run, whatever its stop reason",
      file: "src/loop/assess.ts",
      find: 'if (calls.length > 0) return { type: "run_calls", tries: firstTries(tries.maxTokens) };',
      replace: 'if (calls.length > 0 || stopReason === "tool_use") return { type: "run_calls", tries };',
      breaks: noCalls,
    },
    {
      aspect: "max_tokens: a cut text is asked for again",
      file: "src/loop/assess.ts",
      find: "const again = moreRoomHelps && !tries.roomDoubled;",
      replace: "const again = moreRoomHelps && calls.length > 0 && !tries.roomDoubled;",
      breaks: cutText,
    },
    {
      aspect: "max_tokens: with more room",
      file: "src/loop/assess.ts",
      find: "maxTokens: room, roomDoubled: true",
      replace: "roomDoubled: true",
      breaks: moreRoom,
    },
    {
      aspect: "max_tokens: once",
      file: "src/loop/assess.ts",
      find: "maxTokens: room, roomDoubled: true",
      replace: "maxTokens: room",
      breaks: secondCut,
    },
    {
      aspect: "a truncated call is never run",
      file: "src/loop/run.ts",
      find: 'const batch = next.type === "run_calls" ? runBatch : cutCalls;',
      replace: "const batch = next.type === undefined ? cutCalls : runBatch;",
      breaks: secondCut,
    },
    {
      aspect: "max_tokens is read from the wire",
      file: "src/models/anthropic/stream.ts",
      find: '["max_tokens", "max_tokens"],',
      replace: "",
      breaks: cutOnWire,
    },
    {
      aspect: "pause_turn is resumed",
      file: "src/loop/assess.ts",
      find: 'if (stopReason === "pause_turn" && holdsAnything(message)) {',
      replace: 'if (stopReason === "pause_turn" && calls.length > 0) {',
      breaks: paused,
    },
    {
      aspect: "pause_turn: without a word in between",
      file: "src/loop/run.ts",
      find: 'if (next.type === "resume") continue;',
      replace:
        'if (next.type === "resume") ports.transcript.append(input);\n      if (next.type === "resume") continue;',
      breaks: paused,
    },
    {
      aspect: "pause_turn is bounded",
      file: "src/loop/assess.ts",
      find: "pauses: tries.pauses + 1",
      replace: "pauses: 0",
      breaks: pausesBounded,
    },
    {
      aspect: "refusal ends the run",
      file: "src/loop/assess.ts",
      find: 'if (stopReason === "refusal") return refused(response);',
      replace: "",
      breaks: refusal,
    },
    {
      aspect: "refusal: nothing of it is stored",
      file: "src/loop/assess.ts",
      find: 'stop: { type: "refused", explanation }, store: false',
      replace: 'stop: { type: "refused", explanation }, store: true',
      breaks: refusal,
    },
    {
      aspect: "an empty turn is not an answer",
      file: "src/loop/assess.ts",
      find: "return empty ? emptyAnswer(tries) :",
      replace: "return empty && calls.length > 0 ? emptyAnswer(tries) :",
      breaks: empty,
    },
    {
      aspect: "an empty turn is asked for again once",
      file: "src/loop/assess.ts",
      find: "nudged: true }",
      replace: "nudged: false }",
      breaks: empty,
    },
    {
      aspect: "a full context window is no answer",
      file: "src/loop/assess.ts",
      find: 'if (stopReason === "max_tokens" || stopReason === "context_window_exceeded") {',
      replace: 'if (stopReason === "max_tokens") {',
      breaks: fullWindow,
    },
  ],
};

const abortAt = "an abort at %s leaves a transcript in which every call has its result";
const abortCancels = "an abort cancels what runs at its server";
const ownFault =
  "a fault of the host itself is a stop of the run, never an exception, and every call still has its result";
const afterCrash = "a conversation that a crash left with an open call goes on with a result for it";

const abort: Behaviour = {
  id: 17,
  behaviour: "An abort at any moment leaves a transcript in which every tool call has its result.",
  source: ["ARCHITECTURE.md, invariant 1", "Messages API: a tool_use without its tool_result is refused"],
  implementation: [
    "src/loop/run.ts",
    "src/execution/executor.ts",
    "src/execution/deadline.ts",
    "src/transcript/repair.ts",
  ],
  tests: [...testsIn(stops, abortAt, abortCancels), ...testsIn(transcripts, ownFault, afterCrash)],
  removals: [
    {
      aspect: "an abort before any call runs",
      file: "src/loop/call.ts",
      find: "const calls = resolved.flatMap(",
      replace:
        "if (context.signal.aborted) return { results: [], trailing: [] };\n  const calls = resolved.flatMap(",
      breaks: abortAt,
    },
    {
      aspect: "an abort while calls run",
      file: "src/loop/call.ts",
      find: "return returnResults(settled, ports, context);\n}\n\n/** Answers calls",
      replace:
        "if (context.signal.aborted) return { results: [], trailing: [] };\n  return returnResults(settled, ports, context);\n}\n\n/** Answers calls",
      breaks: abortAt,
    },
    {
      aspect: "an abort reaches the call that runs",
      file: "src/execution/deadline.ts",
      find: 'else outer.addEventListener("abort", abort, { once: true });',
      replace: "",
      breaks: abortCancels,
    },
    {
      aspect: "it ends the run as aborted",
      file: "src/loop/run.ts",
      find: 'settings.signal.aborted ? { type: "aborted" } : ports.budget.check()',
      replace: 'settings.signal.aborted ? { type: "answered" } : ports.budget.check()',
      breaks: abortAt,
    },
    {
      aspect: "a failure between two stages",
      file: "src/loop/run.ts",
      find: '    ports.transcript.append({ role: "user", content });\n  }',
      replace: "  }",
      breaks: ownFault,
    },
    {
      aspect: "a transcript that a crash left behind",
      file: "src/transcript/transcript.ts",
      find: "repairMessages(earlier, stored?.answer)",
      replace: "earlier",
      breaks: afterCrash,
    },
  ],
};

const finalText =
  "the final text is the text blocks joined with a line break, and the whole final message is there too";

const answer: Behaviour = {
  id: 18,
  behaviour:
    "The final text is the text blocks joined with a line break, and the whole final message is returned too.",
  source: ["Messages API: content is a list of blocks", "DESIGN: a run's result"],
  implementation: ["src/loop/perform.ts"],
  tests: testsIn(stops, finalText),
  removals: [
    {
      aspect: "joined with a line break",
      file: "src/loop/perform.ts",
      find: 'texts?.join("\\n")',
      replace: 'texts?.join("")',
      breaks: finalText,
    },
    {
      aspect: "text blocks only",
      file: "src/loop/perform.ts",
      find: 'block.type === "text" ? [block.text] : []',
      replace: 'block.type === "tool_call" ? [] : [block.text]',
      breaks: finalText,
    },
    {
      aspect: "the whole final message",
      file: "src/loop/perform.ts",
      find: "message: end.message,",
      replace: "message: null,",
      breaks: finalText,
    },
  ],
};

export const runBehaviours: readonly Behaviour[] = [turnLimit, ends, abort, answer];
