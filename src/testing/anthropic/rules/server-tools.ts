import { turnsOf } from "./pairing.ts";
import { blocksOf, firstRefusal, objectsOf, type Rule, type WireObject } from "./request-view.ts";

interface OpenCall {
  readonly id: string;
  readonly name: string;
  /** The message that it stands in. */
  readonly message: string;
  /** Whether the conversation still waits for it: nothing but answers of the client came after its turn. */
  readonly waits: boolean;
}

/** Calls of tools of the API's own that have no result in the conversation. */
function openCalls(request: WireObject): OpenCall[] {
  const answered = new Set(
    blocksOf(request)
      .filter(({ block }) => /_tool_result$/.test(String(block.type)) && block.type !== "mcp_tool_result")
      .map(({ block }) => block.tool_use_id),
  );
  const turns = turnsOf(request);
  return turns.flatMap(({ role, blocks }, place) => {
    if (role !== "assistant") return [];
    const after = turns[place + 1];
    const waits =
      after === undefined ||
      (place === turns.length - 2 &&
        !after.leadingText &&
        after.blocks.every(({ block }) => block.type === "tool_result"));
    return blocks
      .filter(({ block }) => block.type === "server_tool_use" && !answered.has(block.id))
      .map(({ block, path }) => ({
        id: String(block.id),
        name: String(block.name),
        message: path.split(".").slice(0, 2).join("."),
        waits,
      }));
  });
}

const unanswered = ({ id, name, message }: OpenCall): string =>
  `${message}: \`${name}\` tool use with id \`${id}\` was found without a corresponding \`${name}_tool_result\` block`;

/** Rule 34: a call of a tool of the API's own has its result, or the conversation ends in wait for it. */
export const serverCallsAnswered: Rule = (request) =>
  firstRefusal(openCalls(request), (call) => (call.waits ? null : unanswered(call)));

/** Rule 34: a call that is waited for is of a tool that the request still has. */
export const waitingToolsThere: Rule = (request, { unoffered }) => {
  const names = new Set(objectsOf(request.tools).map((tool) => tool.name));
  return firstRefusal(openCalls(request), (call) =>
    !call.waits || names.has(call.name) || unoffered.has(call.id)
      ? null
      : `${unanswered(call)}, but no \`${call.name}\` tool was provided`,
  );
};
