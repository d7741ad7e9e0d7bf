import type { RunEvent, ServerStatus } from "../../../types/events.ts";
import { cutToColumns } from "../../../util/columns.ts";
import { visibleLine } from "../../../util/visible.ts";
import { askedLines } from "../../show/asked-lines.ts";
import { compactedLine, routeText, serverLine } from "../../show/render-events.ts";
import { createStreamText, type StreamText } from "../../show/stream-text.ts";
import type { Paint } from "../../terminal/paint.ts";
import { count, formatMs } from "../../terminal/units.ts";
import { createWordWrap } from "../../terminal/wrap-words.ts";
import { argumentsText, endedLines, runningLine, type ShownCall } from "./call-lines.ts";

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

/** What an event adds to the screen for good; escaped. */
type Shown =
  | { readonly type: "line"; readonly text: string }
  /** Goes on where the last text ended. */
  | { readonly type: "text"; readonly text: string };

/** What the person was told in earlier runs: each run tells it again. */
export interface Told {
  /** States of the servers, by id. */
  readonly servers: Map<string, string>;
  /** What is odd about the policy. */
  readonly warnings: Set<string>;
}

/** What one run looks like at a terminal. */
export interface TurnView {
  /** What this event adds. */
  show(event: RunEvent, now: number, columns: number): readonly Shown[];
  /** What is going on now, to be written over; one line each, cut to the columns. */
  running(now: number, columns: number): readonly string[];
  /** The thinking of the run so far, as the model wrote it. */
  thinking(): string;
}

/** More calls than these are counted in the rewritable lines. */
const mostRunning = 8;
const thinkingShown = 60;

const line = (text: string): Shown => ({ type: "line", text });

interface State {
  readonly paint: Paint;
  readonly calls: Map<string, ShownCall>;
  readonly told: Told;
  /** The model's text; it is written to `pieces`. */
  readonly stream: StreamText;
  pieces: string[];
  columns: number;
  /** What is waited for, and since when. */
  wait: { readonly what: string; readonly since: number } | null;
  /** Of the turn under way, and not yet folded. */
  thought: string;
  allThoughts: string[];
  /** Characters of arguments that the model has written so far, by call. */
  readonly writing: Map<string, { readonly alias: string; characters: number }>;
}

/** What the stream of text wrote since the last time. */
function streamed(state: State): Shown[] {
  const text = state.pieces.join("");
  state.pieces = [];
  return text === "" ? [] : [{ type: "text", text }];
}

/** Folds the thinking of a turn to one line, once something else follows. */
function foldThinking(state: State): Shown[] {
  const { thought, paint } = state;
  if (thought.trim() === "") return [];
  state.thought = "";
  state.allThoughts.push(thought);
  const start = visibleLine(
    thought
      .slice(0, thinkingShown * 2)
      .replace(/\s+/g, " ")
      .trim(),
  );
  const folded = cutToColumns(start, thinkingShown);
  return [line(paint("dim", `∴ ${folded} (${count(thought.length, "character")}; /thinking shows it)`))];
}

function serverShown(state: State, status: ServerStatus): Shown[] {
  const before = state.told.servers.get(status.server);
  state.told.servers.set(status.server, status.state);
  if (before === status.state || status.state === "starting") return [];
  const text = serverLine(status, state.paint);
  return text === undefined ? [] : [line(text)];
}

function changedShown(event: EventOf<"tools_changed">, paint: Paint): Shown[] {
  const changes = [
    ...event.added.map((tool) => `+${routeText(tool)}`),
    ...event.removed.map((tool) => `-${routeText(tool)}`),
    ...event.changed.map((tool) => `~${routeText(tool)}`),
  ];
  const since = event.since === undefined ? "" : ` since ${visibleLine(event.since.slice(0, 10))}`;
  return [line(paint("yellow", `! tools changed${since}: ${changes.join(" ")}`))];
}

function update(state: State, callId: string, change: Partial<ShownCall>): void {
  const call = state.calls.get(callId);
  if (call !== undefined) state.calls.set(callId, { ...call, ...change });
}

/** Takes the calls of a turn off the rewritable lines and writes them down for good, in call order. */
function endCalls(state: State, ids: readonly string[]): Shown[] {
  const ended = ids.flatMap((id) => state.calls.get(id) ?? []);
  const lines = ended.flatMap((call) => endedLines(call, state.paint, state.columns));
  state.calls.clear();
  state.writing.clear();
  return lines.map(line);
}

function callShown(state: State, event: RunEvent, now: number): Shown[] {
  switch (event.type) {
    case "call_proposed":
      state.calls.set(event.callId, { name: routeText(event), arguments: argumentsText(event.arguments) });
      return [];
    case "call_rejected":
      state.calls.set(event.callId, { name: visibleLine(event.alias), arguments: "", rejected: event });
      return [];
    case "call_decided":
      update(state, event.callId, { decided: event });
      return [];
    case "call_started":
      update(state, event.callId, { startedAt: now });
      return [];
    case "call_progress":
      update(state, event.callId, { progress: event });
      return [];
    case "call_completed":
      update(state, event.callId, { completed: event });
      return [];
    case "results_returned":
      for (const { callId, bytes, cutBytes } of event.results) {
        update(state, callId, { returned: { bytes, cutBytes } });
      }
      state.wait = { what: "the model", since: now };
      return endCalls(
        state,
        event.results.map(({ callId }) => callId),
      );
    default:
      return [];
  }
}

function modelShown(state: State, event: RunEvent, now: number): Shown[] {
  switch (event.type) {
    case "turn_started":
      state.wait = { what: "the model", since: now };
      state.writing.clear();
      return [];
    case "thinking_delta":
      state.thought += event.text;
      return [];
    case "text_delta": {
      const folded = foldThinking(state);
      state.wait = null;
      state.stream.write(event.text);
      return [...folded, ...streamed(state)];
    }
    case "tool_input_delta": {
      const written = state.writing.get(event.callId) ?? { alias: event.alias, characters: 0 };
      written.characters += event.json.length;
      state.writing.set(event.callId, written);
      return foldThinking(state);
    }
    case "message_completed":
      state.writing.clear();
      state.wait = null;
      state.stream.endTurn();
      return [...foldThinking(state), ...streamed(state)];
    case "turn_revoked": {
      state.stream.revoke();
      const before = [...foldThinking(state), ...streamed(state)];
      state.writing.clear();
      state.wait = { what: "the model", since: now };
      const again = `asking the model again in ${formatMs(event.retryInMs)}`;
      return [...before, line(state.paint("yellow", `! ${again}: ${visibleLine(event.reason)}`))];
    }
    case "model_fallback": {
      const [from, to] = [visibleLine(event.from), visibleLine(event.to)];
      const text = `! ${from} refused, ${to} is asked: ${visibleLine(event.reason)}`;
      return [line(state.paint("yellow", text))];
    }
    default:
      return callShown(state, event, now);
  }
}

function show(state: State, event: RunEvent, now: number): Shown[] {
  switch (event.type) {
    case "run_started":
      state.wait = { what: "the servers", since: now };
      return [];
    case "server_status":
      return serverShown(state, event);
    case "catalog_ready":
      return [];
    case "tools_changed":
      return changedShown(event, state.paint);
    case "context_compacted":
      return [line(state.paint("dim", compactedLine(event)))];
    case "model_fallback": {
      const names = [visibleLine(event.from), visibleLine(event.to)];
      return [line(state.paint("yellow", `! ${names[0]} refused; ${names[1]} is asked`))];
    }
    case "warning":
      if (event.code === "policy" && state.told.warnings.has(event.text)) return [];
      state.told.warnings.add(event.text);
      return [line(state.paint("yellow", `! ${visibleLine(event.text)}`))];
    case "run_completed":
      state.wait = null;
      state.stream.breakLine();
      return [...foldThinking(state), ...streamed(state), ...endCalls(state, [...state.calls.keys()])];
    case "server_log":
    case "sampling_requested":
    case "sampling_answered":
      return askedLines(event, state.paint).map(line);
    default:
      return modelShown(state, event, now);
  }
}

function running(state: State, now: number, columns: number): string[] {
  const calls = [...state.calls.values()];
  if (calls.length > 0) {
    const lines = calls.slice(0, mostRunning).map((call) => runningLine(call, now, columns));
    const more = calls.length - mostRunning;
    return more > 0 ? [...lines, `… and ${count(more, "more call")}`] : lines;
  }
  if (state.thought !== "") {
    const tail = visibleLine(state.thought.slice(-columns).replace(/\s+/g, " ").trim());
    return [cutToColumns(`∴ ${tail}`, columns)];
  }
  const [written] = [...state.writing.values()].slice(-1);
  if (written !== undefined) {
    const size = count(written.characters, "character");
    return [cutToColumns(`… the model writes a call of ${visibleLine(written.alias)}: ${size}`, columns)];
  }
  if (state.wait === null) return [];
  const seconds = Math.floor((now - state.wait.since) / 1000);
  return [cutToColumns(`… ${state.wait.what} (${seconds} s)`, columns)];
}

/** Turns the events of one run into what a terminal shows. */
export function createTurnView(paint: Paint, told: Told): TurnView {
  const write = createWordWrap(
    (text) => state.pieces.push(text),
    () => state.columns,
  );
  const stream = createStreamText({ write }, paint);
  const state: State = {
    paint,
    told,
    calls: new Map(),
    stream,
    pieces: [],
    columns: 80,
    wait: null,
    thought: "",
    allThoughts: [],
    writing: new Map(),
  };
  return {
    show(event, now, columns) {
      state.columns = columns;
      return show(state, event, now);
    },
    running: (now, columns) => running(state, now, columns).map((text) => paint("dim", text)),
    thinking: () => [...state.allThoughts, state.thought].filter((text) => text.trim() !== "").join("\n\n"),
  };
}
