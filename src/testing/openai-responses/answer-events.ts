import { objectsOf } from "../openai-chat/rules/request-view.ts";
import type { WireObject } from "../wire-server/api.ts";
import { pieces } from "../wire-server/pieces.ts";

/** One answer, complete. */
export interface ResponseAnswer {
  /** The response without its output and its end. */
  readonly response: WireObject;
  readonly items: readonly WireObject[];
  /** What is different in the response once it has ended. */
  readonly end: WireObject;
  /** Whether deltas are padded, so that their length says nothing. */
  readonly obfuscated: boolean;
}

/** The answer as one object: what a request without `stream` gets. */
export function wholeResponse({ response, items, end }: ResponseAnswer): WireObject {
  return { ...response, output: items, ...end };
}

/**
 * The answer as it is streamed: the response as it begins, every item from its announcement to its end, and the
 * response as it ends.
 * @param deltaChars length of the pieces that texts and arguments are streamed in.
 */
export function responseFrames(answer: ResponseAnswer, deltaChars: number): string[] {
  const begun = { ...answer.response, status: "in_progress", output: [] };
  const events: WireObject[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...answer.items.flatMap((item, index) => itemEvents(item, index, deltaChars)),
    { type: `response.${String(answer.end.status)}`, response: wholeResponse(answer) },
  ];
  return events.map(({ type, ...event }, sequence) =>
    frameOf({
      type,
      ...event,
      sequence_number: sequence,
      ...(answer.obfuscated && typeof event.delta === "string" ? { obfuscation: padding(event.delta) } : {}),
    }),
  );
}

const paddedTo = 16;

function padding(delta: string): string {
  return "x".repeat((paddedTo - (delta.length % paddedTo)) % paddedTo);
}

function itemEvents(item: WireObject, index: number, deltaChars: number): WireObject[] {
  const place = { item_id: item.id, output_index: index };
  const inner =
    item.type === "function_call"
      ? callEvents(item, place, deltaChars)
      : objectsOf(item.type === "reasoning" ? item.summary : item.content).flatMap((part, at) =>
          item.type === "reasoning"
            ? summaryEvents(part, { ...place, summary_index: at }, deltaChars)
            : contentEvents(part, { ...place, content_index: at }, deltaChars),
        );
  return [
    { type: "response.output_item.added", output_index: index, item: begunItem(item) },
    ...inner,
    { type: "response.output_item.done", output_index: index, item },
  ];
}

/** An item as it is announced: nothing is in it yet. */
function begunItem(item: WireObject): WireObject {
  if (item.type === "reasoning") return { ...item, summary: [] };
  const empty = item.type === "message" ? { content: [] } : { arguments: "" };
  return { ...item, status: "in_progress", ...empty };
}

function callEvents(item: WireObject, place: WireObject, deltaChars: number): WireObject[] {
  const { arguments: text, name } = item;
  return [
    ...pieces(String(text), deltaChars).map((delta) => ({
      type: "response.function_call_arguments.delta",
      ...place,
      delta,
    })),
    { type: "response.function_call_arguments.done", ...place, arguments: text, name },
  ];
}

function summaryEvents(part: WireObject, place: WireObject, deltaChars: number): WireObject[] {
  return [
    { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } },
    ...pieces(String(part.text), deltaChars).map((delta) => ({
      type: "response.reasoning_summary_text.delta",
      ...place,
      delta,
    })),
    { type: "response.reasoning_summary_text.done", ...place, text: part.text },
    { type: "response.reasoning_summary_part.done", ...place, part },
  ];
}

function contentEvents(part: WireObject, place: WireObject, deltaChars: number): WireObject[] {
  const isRefusal = part.type === "refusal";
  const field = isRefusal ? "refusal" : "text";
  const name = isRefusal ? "response.refusal" : "response.output_text";
  const logprobs = isRefusal ? {} : { logprobs: [] };
  return [
    { type: "response.content_part.added", ...place, part: { ...part, [field]: "" } },
    ...pieces(String(part[field]), deltaChars).map((delta) => ({
      type: `${name}.delta`,
      ...place,
      delta,
      ...logprobs,
    })),
    { type: `${name}.done`, ...place, [field]: part[field], ...logprobs },
    { type: "response.content_part.done", ...place, part },
  ];
}

export function frameOf(event: WireObject): string {
  return `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`;
}
