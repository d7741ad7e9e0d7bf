import { createSchemaValidator } from "../../src/calls/schema-validator.ts";
import type { HostErrorCode } from "../../src/types/error.ts";
import type { RunEvent } from "../../src/types/events.ts";
import type { Message } from "../../src/types/message.ts";
import { isObject } from "../../src/util/own.ts";
import type { Played, PlayedRun } from "./play.ts";
import { type CallPlan, oddInputs } from "./turn-plan.ts";

/** Errors that a run may end with when a request failed on purpose. */
const faultCodes: ReadonlySet<HostErrorCode> = new Set<HostErrorCode>([
  "model_rate_limited",
  "model_overloaded",
  "model_unreachable",
  "model_auth",
  "model_spend_limit",
  "model_bad_response",
]);

function expectThat(holds: boolean, problem: () => string): void {
  if (!holds) throw new Error(problem());
}

/** Every call has one result, in the message behind it, in order; no id is used twice; nothing is empty. */
function judgeTranscript(messages: readonly Message[]): void {
  const ids = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    const calls =
      role === "assistant" ? content.flatMap((block) => (block.type === "tool_call" ? [block.id] : [])) : [];
    for (const id of calls) {
      expectThat(!ids.has(id), () => `the id ${id} is used twice`);
      ids.add(id);
    }
    const next = messages[index + 1];
    const answers =
      next?.role === "user"
        ? next.content.flatMap((block) => (block.type === "tool_result" ? [block.callId] : []))
        : [];
    if (role === "assistant") {
      expectThat(
        JSON.stringify(answers) === JSON.stringify(calls),
        () => `the calls ${calls} were answered by ${answers}`,
      );
    }
  }
}

/** Gemini tells its client only that the arguments of a call are no object: its adapter asks again, and may give up. */
function isMalformed({ text }: CallPlan): boolean {
  return text !== null && text !== "" && !isObject(parsed(text));
}

function judgeEnd({ result, turns, model }: PlayedRun): void {
  const { stop } = result;
  if (stop.type !== "failed") return;
  const { code, message } = stop.error;
  if (code === "model_empty_response") return;
  const faulty = turns.some(
    ({ fault, calls }) => fault !== null || (model.startsWith("gemini/") && calls.some(isMalformed)),
  );
  expectThat(faulty && faultCodes.has(code), () => `the run failed with ${code}: ${message}`);
}

type Proposed = Extract<RunEvent, { type: "call_proposed" }>;

const sentAs = (name: string, args: unknown): string => JSON.stringify([name, args]);

/** What reached each server is what was shown: all of it, unless the run was aborted, and nothing else. */
function judgeArguments({ runs, received }: Played): void {
  const open = new Map<string, string[]>(
    Object.entries(received).map(([server, calls]) => [
      server,
      calls.map((call) => sentAs(call.name, call.arguments)),
    ]),
  );
  for (const { events, result } of runs) {
    const proposed = new Map(
      events.flatMap((event): [string, Proposed][] =>
        event.type === "call_proposed" ? [[event.callId, event]] : [],
      ),
    );
    for (const event of events) {
      if (event.type !== "call_started") continue;
      const shown = proposed.get(event.callId);
      expectThat(shown !== undefined, () => `the call ${event.callId} ran and was never shown`);
      if (shown === undefined || shown.server === "drawbridge") continue;
      const sent = open.get(shown.server) ?? [];
      const at = sent.indexOf(sentAs(shown.tool, shown.arguments));
      if (at !== -1) sent.splice(at, 1);
      else if (result.stop.type !== "aborted") {
        throw new Error(
          `${shown.server} did not get ${sentAs(shown.tool, shown.arguments)}, but ${sent.join(", ")}`,
        );
      }
    }
  }
  for (const [server, left] of open) {
    expectThat(left.length === 0, () => `${server} got what was not shown: ${left.join(", ")}`);
  }
}

/** Odd arguments as a tool may get them, where they are an object at all. */
const oddArguments: ReadonlySet<string> = new Set(
  oddInputs.flatMap((text) => {
    const value = parsed(text);
    // A text of an object is taken for the object; no text at all, and null, for none.
    const meant = typeof value === "string" ? parsed(value) : (value ?? {});
    return isObject(meant) ? [JSON.stringify(meant)] : [];
  }),
);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Arguments that the model wrote with the names of the lowered schema are shown with the tool's own. */
async function judgeMapping({ runs, callable }: Played): Promise<void> {
  const byAlias = new Map(callable.map((one) => [one.tool.alias, one]));
  for (const event of runs.flatMap(({ events }) => events)) {
    if (event.type !== "call_proposed") continue;
    const called = byAlias.get(event.alias);
    if (called === undefined || called.arguments === null) continue;
    const [planned, shown] = [called.arguments, event.arguments].map((value) => JSON.stringify(value));
    if (shown === planned || oddArguments.has(String(shown))) continue;
    // A parameter that the schema does not take as it is may be left out.
    const { valid } = await createSchemaValidator().check(
      called.tool.definition.inputSchema,
      called.arguments,
    );
    expectThat(!valid, () => `the model called ${event.alias} with ${planned}, and ${shown} was shown`);
  }
}

/** @throws Error with what does not hold */
export async function judge(played: Played): Promise<void> {
  for (const run of played.runs) judgeEnd(run);
  judgeTranscript(played.runs.at(-1)?.result.messages ?? []);
  judgeArguments(played);
  await judgeMapping(played);
}
