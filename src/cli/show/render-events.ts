import type { RunEvent, ServerStatus } from "../../types/events.ts";
import type { JsonObject } from "../../types/json.ts";
import type { ToolRoute } from "../../types/tool.ts";
import { outsidePair } from "../../util/one-line.ts";
import { visibleLine, visibleText } from "../../util/visible.ts";
import type { Paint } from "../terminal/paint.ts";
import { count, formatBytes, formatMs } from "../terminal/units.ts";
import { askedLines } from "./asked-lines.ts";
import { behindSearchText } from "./behind-search.ts";
import { warningLines } from "./drift-lines.ts";

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

/** Arguments are shown whole when somebody is asked; a line of progress shows their beginning. */
const argumentsShown = 160;

/** A tool's identity, escaped. */
export function routeText(route: ToolRoute): string {
  return `${visibleLine(route.server)}/${visibleLine(route.tool)}`;
}

function argumentsText(value: JsonObject): string {
  const text = visibleLine(JSON.stringify(value));
  if (text.length <= argumentsShown) return text;
  const shown = outsidePair(text, argumentsShown);
  return `${text.slice(0, shown)}… (${count(text.length - shown, "more character")})`;
}

/** One server's state, with its last words when it failed; undefined while it starts. */
export function serverLine(status: ServerStatus, paint: Paint): string | undefined {
  const name = visibleLine(status.server);
  if (status.state === "starting") return undefined;
  if (status.state === "failed") {
    const { message } = status.error;
    const text = message.includes(status.server) ? message : `Server "${status.server}": ${message}`;
    return paint("red", `✗ ${visibleText(text).replaceAll("\n", "\n  | ")}`);
  }
  const facts = `${count(status.tools, "tool")}, MCP ${visibleLine(status.protocolVersion)}`;
  return paint("dim", `  server ${name}: ready after ${formatMs(status.ms)}, ${facts}`);
}

function changedLine(event: EventOf<"tools_changed">): string {
  const changes = [
    ...event.added.map((tool) => `+${routeText(tool)}`),
    ...event.removed.map((tool) => `-${routeText(tool)}`),
    ...event.changed.map((tool) => `~${routeText(tool)}`),
  ];
  const since = event.since === undefined ? "" : ` since ${visibleLine(event.since.slice(0, 10))}`;
  return `! tools changed${since}: ${changes.join(" ")}`;
}

/** That results do not go to the model any more, on one line. */
export function compactedLine({ results, before, after }: EventOf<"context_compacted">): string {
  const what = `${count(results, "result")} left out of what the model gets`;
  return `  ${what}, to make room (about ${count(before, "token")} before, ${count(after, "token")} now)`;
}

/** What the model said beside its calls; the text of its last message is the answer and is printed as that. */
function asideLines(event: EventOf<"message_completed">): string[] {
  const { content } = event.message;
  if (!content.some((block) => block.type === "tool_call")) return [];
  const said = content.flatMap((block) => (block.type === "text" ? [block.text.trim()] : []));
  return said.filter((text) => text !== "").map((text) => `  ${visibleLine(text)}`);
}

/** Lines of the events that are no call's. */
function otherLines(event: RunEvent, paint: Paint): string[] {
  switch (event.type) {
    case "run_started": {
      const note = event.offline ? " (fixed rules, no language model)" : "";
      return [paint("dim", `  model ${visibleLine(event.model)}${note}`)];
    }
    case "server_status": {
      const line = serverLine(event, paint);
      return line === undefined ? [] : [line];
    }
    case "catalog_ready":
      return [
        ...event.quarantined.map((tool) =>
          paint("yellow", `! ${routeText(tool)} is kept from the model: ${visibleLine(tool.reason)}`),
        ),
        ...warningLines(event).map((text) => paint("yellow", `! ${text}`)),
        ...behindLines(event).map((line) => paint("dim", `  ${line}`)),
      ];
    case "tools_changed":
      return [paint("yellow", changedLine(event))];
    case "turn_revoked": {
      const reason = visibleLine(event.reason);
      return [paint("yellow", `! asking the model again in ${formatMs(event.retryInMs)}: ${reason}`)];
    }
    case "model_fallback":
      return [paint("yellow", `! ${visibleLine(event.from)} refused; ${visibleLine(event.to)} is asked`)];
    case "context_compacted":
      return [paint("dim", compactedLine(event))];
    case "message_completed":
      return asideLines(event).map((line) => paint("dim", line));
    case "warning":
      return [paint("yellow", `! ${visibleLine(event.text)}`)];
    default:
      return [...askedLines(event, paint)];
  }
}

function behindLines({ behindSearch }: Extract<RunEvent, { type: "catalog_ready" }>): string[] {
  return behindSearch === undefined ? [] : [behindSearchText(behindSearch.tools, behindSearch.reason)];
}

interface ShownCall {
  readonly name: string;
  readonly arguments: string;
  ran: boolean;
}

type Calls = Map<string, ShownCall>;

const nameOf = (calls: Calls, callId: string): string => calls.get(callId)?.name ?? visibleLine(callId);

function decidedLines(event: EventOf<"call_decided">, calls: Calls, paint: Paint): string[] {
  const reason = visibleLine(event.reason);
  const given = paint("dim", calls.get(event.callId)?.arguments ?? "");
  return [
    `${paint("bold", "→")} ${nameOf(calls, event.callId)} ${given}`,
    event.decision === "allow" ? paint("dim", `  allowed: ${reason}`) : paint("yellow", `  ${reason}`),
    ...event.warnings.map((warning) => paint("yellow", `  ! ${visibleLine(warning)}`)),
  ];
}

function completedLine(event: EventOf<"call_completed">, calls: Calls, paint: Paint): string {
  const name = nameOf(calls, event.callId);
  const attempts = event.attempts > 1 ? `, ${event.attempts} attempts` : "";
  const facts = paint("dim", `${formatMs(event.ms)}${attempts}`);
  if (!event.isError) return `${paint("green", "✓")} ${name} ${facts}`;
  const { error } = event;
  const why = error === undefined ? "the tool answered with an error" : visibleLine(error.message);
  return `${paint("red", `✗ ${name}: ${why}`)} ${facts}`;
}

/** How much of each answer the model gets; calls that did not run have nothing to tell. */
function returnedLines(event: EventOf<"results_returned">, calls: Calls, paint: Paint): string[] {
  const sizes = event.results
    .filter((result) => calls.get(result.callId)?.ran === true)
    .map(({ callId, bytes, cutBytes }) => {
      const aside = cutBytes > 0 ? ` (${formatBytes(cutBytes)} kept aside)` : "";
      return `${nameOf(calls, callId)} ${formatBytes(bytes)}${aside}`;
    });
  return sizes.length === 0 ? [] : [paint("dim", `  to the model: ${sizes.join(", ")}`)];
}

/** What a run waits for, and how far that is. */
interface Wait {
  readonly what: string | null;
  readonly detail?: string;
}

function waitAfter(event: RunEvent, calls: Calls): Wait | undefined {
  switch (event.type) {
    case "run_started":
      return { what: "the servers" };
    case "turn_started":
      return { what: "the model" };
    case "approval_requested":
    case "elicitation_requested":
      return { what: "an answer" };
    case "call_started":
      return { what: nameOf(calls, event.callId) };
    case "call_progress": {
      const total = event.total === undefined ? "" : ` of ${event.total}`;
      const text = event.text === undefined ? "" : ` ${visibleLine(event.text)}`;
      return { what: nameOf(calls, event.callId), detail: `: ${event.progress}${total}${text}` };
    }
    case "run_completed":
      return { what: null };
    default:
      return undefined;
  }
}

export interface EventRenderer {
  /** The lines to print for this event, escaped. */
  lines(event: RunEvent): readonly string[];
  /** What the run waits for after this event; undefined: the same as before. */
  waitAfter(event: RunEvent): Wait | undefined;
  /** Rules that would allow what was denied because nobody could be asked, each once, as `--allow` takes them. */
  missingRules(): readonly string[];
}

/** Turns the events of one run into lines for standard error. */
export function createEventRenderer(paint: Paint): EventRenderer {
  const calls: Calls = new Map();
  const missingRules = new Set<string>();
  return {
    lines(event) {
      switch (event.type) {
        case "call_proposed": {
          const { callId } = event;
          calls.set(callId, {
            name: routeText(event),
            arguments: argumentsText(event.arguments),
            ran: false,
          });
          return [];
        }
        case "call_rejected":
          return [
            paint("red", `✗ ${visibleLine(event.alias)}: not run: ${visibleLine(event.error.message)}`),
          ];
        case "call_decided": {
          const { suggestedRule } = event;
          if (suggestedRule !== undefined) missingRules.add(suggestedRule.replace(/^allow /, ""));
          return decidedLines(event, calls, paint);
        }
        case "call_completed": {
          const call = calls.get(event.callId);
          if (call !== undefined) call.ran = true;
          return [completedLine(event, calls, paint)];
        }
        case "results_returned":
          return returnedLines(event, calls, paint);
        default:
          return otherLines(event, paint);
      }
    },
    waitAfter: (event) => waitAfter(event, calls),
    missingRules: () => [...missingRules],
  };
}
