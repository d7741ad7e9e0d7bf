import type { SimulatedBlock, SimulatedStep, SimulatedTurn } from "../../src/testing/anthropic/turns.ts";
import type { WireObject } from "../../src/testing/wire-server/api.ts";
import type { JsonObject } from "../../src/types/json.ts";
import { type CatalogTool, callToolAlias } from "../../src/types/tool.ts";
import { asTheModelWrites } from "../support/as-the-model-writes.ts";
import type { CaseApi } from "../support/case-apis/api.ts";
import { itemsOf } from "../support/members.ts";
import type { CallPlan, TurnPlan } from "./turn-plan.ts";

/** A tool that the model may call, with arguments that follow its schema where they are known. */
export interface CallableTool {
  readonly tool: CatalogTool;
  readonly arguments: JsonObject | null;
}

function callBlock(
  { tool: wanted, text, id, asFound }: CallPlan,
  body: WireObject,
  tools: readonly CallableTool[],
  api: CaseApi,
): SimulatedBlock {
  const ids = id === null ? {} : { id };
  const found = typeof wanted === "number" ? tools[wanted % Math.max(tools.length, 1)] : undefined;
  if (found === undefined) {
    const name = typeof wanted === "string" ? wanted : "nothing";
    return { type: "tool_use", name, partial_json: text ?? "{}", ...ids };
  }
  const { alias, definition } = found.tool;
  const given = found.arguments ?? {};
  if (asFound) {
    // What a model writes into the wrapper is the tool's own, or a text.
    const inner = JSON.stringify({ name: alias, arguments: text ?? given });
    return { type: "tool_use", name: callToolAlias, partial_json: inner, ...ids };
  }
  // A tool that there was no room for is known by nobody's names but its own.
  const offered = JSON.stringify(body.tools ?? []).includes(JSON.stringify(alias));
  const written = offered ? asTheModelWrites(given, definition.inputSchema, api.keys) : given;
  return { type: "tool_use", name: alias, partial_json: text ?? JSON.stringify(written), ...ids };
}

let serverCalls = 0;

/** What the API's own tools answered to the calls that a request goes on from after a pause. */
function serverResults(body: WireObject): SimulatedBlock[] {
  const last = itemsOf(body.messages).at(-1);
  return last?.role !== "assistant"
    ? []
    : itemsOf(last.content).flatMap(({ type, id }) =>
        type === "server_tool_use" ? [{ type: "web_search_tool_result", tool_use_id: id, content: [] }] : [],
      );
}

function turnOf(
  plan: TurnPlan,
  body: WireObject,
  tools: readonly CallableTool[],
  api: CaseApi,
): SimulatedTurn {
  const pauses = plan.stop === "pause_turn";
  serverCalls += 1;
  // A turn that pauses waits for a tool of the API's own, and never for one of the client's.
  const called: readonly SimulatedBlock[] = pauses
    ? [{ type: "server_tool_use", id: `srvtoolu_${serverCalls}`, name: "web_search", input: { query: "x" } }]
    : plan.calls.map((call) => callBlock(call, body, tools, api));
  return {
    content: [
      ...serverResults(body),
      ...(plan.thinking === null ? [] : [{ type: "thinking", thinking: plan.thinking }]),
      ...(plan.redacted ? [{ type: "redacted_thinking" }] : []),
      ...(plan.text === null ? [] : [{ type: "text", text: plan.text }]),
      ...called,
      ...(plan.future ? [{ type: "future_block", x: { b: 1, a: 2 } }] : []),
    ],
    ...(plan.stop === null ? {} : { stop_reason: plan.stop }),
  };
}

/** A planned answer to a request, in the form of the Messages API. */
export function stepOf(
  plan: TurnPlan,
  body: WireObject,
  tools: readonly CallableTool[],
  api: CaseApi,
): SimulatedStep {
  const { fault } = plan;
  if (fault === null) return turnOf(plan, body, tools, api);
  if (fault.type !== "stream_error" && fault.type !== "cut") return { fault };
  return { fault: { ...fault, turn: turnOf(plan, body, tools, api) } };
}

/** The answer when nothing else is planned. */
export const lastPlan: TurnPlan = {
  thinking: null,
  redacted: false,
  text: "done",
  calls: [],
  stop: null,
  future: false,
  fault: null,
};
