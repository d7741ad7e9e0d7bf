import type { Json } from "../../src/types/json.ts";
import type { CatalogTool } from "../../src/types/tool.ts";
import { isObject } from "../../src/util/own.ts";
import type { Plan, RunPlan } from "./plan.ts";
import { type SchemaHazard, schemaHazards } from "./schema-hazards.ts";
import { imageData } from "./tool-results.ts";
import type { TurnPlan } from "./turn-plan.ts";

/** What of a conversation some API refuses if it is sent as it is, or what a rule is about. */
export type Hazard =
  | SchemaHazard
  | "request"
  | "tools"
  | "odd tool name"
  | "long tool name"
  | "tool name twice"
  | "more than 120 tools"
  | "more than 500 tools"
  | "long description"
  | "system prompt"
  | "blank system prompt"
  | "call"
  | "parallel calls"
  | "more than 10 calls in a turn"
  | "unknown name"
  | "odd name called"
  | "arguments that are no JSON object"
  | "odd id"
  | "long id"
  | "id twice"
  | "result"
  | "error result"
  | "error result with an image"
  | "result without text"
  | "blank text"
  | "half of a surrogate pair"
  | "long result"
  | "image"
  | "more than 20 images"
  | "large image"
  | "huge image"
  | "image of another type than it says"
  | "image that cannot be read"
  | "empty image"
  | "image of a type that few take"
  | "thinking"
  | "redacted thinking"
  | "turn of another model"
  | "turn of the same model"
  | "call of the API's own tool"
  | "user behind a pause"
  | "empty turn"
  | "turn that was cut"
  | "refusal"
  | "aborted run"
  | "block of a later type"
  | "broken stream";

/** What one run brought into a conversation. */
export interface Brought {
  readonly planned: RunPlan;
  /** The answers that were given. */
  readonly turns: readonly TurnPlan[];
  /** Results of tools, as their servers gave them. */
  readonly results: readonly Json[];
  readonly aborted: boolean;
}

function ofResult(result: Json): Hazard[] {
  const { content, isError } = isObject(result) ? result : {};
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const images = blocks.filter(({ type }) => type === "image");
  const texts = blocks.flatMap(({ type, text }) => (type === "text" ? [String(text ?? "")] : []));
  const of = (...places: readonly number[]): boolean =>
    images.some(({ data, mimeType }) =>
      places.some((at) => imageData[at]?.[1] === data && imageData[at]?.[0] === mimeType),
    );
  const found: readonly (readonly [boolean, Hazard])[] = [
    [true, "result"],
    [isError === true, "error result"],
    [isError === true && images.length > 0, "error result with an image"],
    [texts.every((text) => text.trim() === ""), "result without text"],
    [texts.some((text) => text.trim() === ""), "blank text"],
    [texts.some((text) => /[\ud800-\udfff]/u.test(text)), "half of a surrogate pair"],
    [texts.some((text) => text.length > 1_000), "long result"],
    [images.length > 0, "image"],
    [images.length > 20, "more than 20 images"],
    [of(1, 5), "large image"],
    [of(2), "huge image"],
    [of(6, 7, 8), "image of another type than it says"],
    [of(9, 11), "image that cannot be read"],
    [of(10), "empty image"],
    [of(4, 12, 13), "image of a type that few take"],
  ];
  return found.flatMap(([holds, hazard]) => (holds ? [hazard] : []));
}

function ofTurn({ calls, text, thinking, redacted, stop, future, fault }: TurnPlan): Hazard[] {
  const ids = calls.flatMap(({ id }) => (id === null ? [] : [id]));
  const names = calls.flatMap(({ tool }) => (typeof tool === "string" ? [tool] : []));
  const broken = calls.some((call) => call.text !== null && !isObjectText(call.text));
  const found: readonly (readonly [boolean, Hazard])[] = [
    [calls.length > 0, "call"],
    [calls.length > 1, "parallel calls"],
    [calls.length > 10, "more than 10 calls in a turn"],
    [names.length > 0, "unknown name"],
    [names.some((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name)), "odd name called"],
    [broken, "arguments that are no JSON object"],
    [ids.some((id) => !/^[A-Za-z0-9_-]+$/.test(id)), "odd id"],
    [ids.some((id) => id.length > 40), "long id"],
    [new Set(ids).size < ids.length || ids.includes("dup"), "id twice"],
    [text !== null && text.trim() === "", "blank text"],
    [text !== null && /[\ud800-\udfff]/u.test(text), "half of a surrogate pair"],
    [thinking !== null, "thinking"],
    [redacted, "redacted thinking"],
    [stop === "pause_turn", "call of the API's own tool"],
    [calls.length === 0 && text === null, "empty turn"],
    [stop === "max_tokens" || stop === "model_context_window_exceeded", "turn that was cut"],
    [stop === "refusal", "refusal"],
    [future, "block of a later type"],
    [fault?.type === "cut" || fault?.type === "stream_error", "broken stream"],
  ];
  return found.flatMap(([holds, hazard]) => (holds ? [hazard] : []));
}

function isObjectText(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Hazards of the tools and of the system prompt: every request of the conversation meets them. */
export function standingHazards(plan: Plan, tools: readonly CatalogTool[]): Set<Hazard> {
  const found = new Set<Hazard>(["request", "tools"]);
  const names = tools.map(({ route }) => route.tool);
  if (names.some((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))) found.add("odd tool name");
  if (tools.some(({ alias }) => alias.length > 56)) found.add("long tool name");
  if (
    plan.servers.some((server) => new Set(server.tools.map(({ name }) => name)).size < server.tools.length)
  ) {
    found.add("tool name twice");
  }
  const count = tools.length + plan.crowd;
  if (count > 120) found.add("more than 120 tools");
  if (count > 500) found.add("more than 500 tools");
  if (tools.some(({ definition }) => definition.description.length > 1_024)) found.add("long description");
  found.add(plan.system.trim() === "" ? "blank system prompt" : "system prompt");
  for (const { definition } of tools)
    for (const hazard of schemaHazards(definition.inputSchema)) found.add(hazard);
  return found;
}

/** Hazards that a run leaves in its conversation. */
export function broughtHazards({ planned, turns, results, aborted }: Brought): Set<Hazard> {
  const found = new Set<Hazard>([...turns.flatMap(ofTurn), ...results.flatMap(ofResult)]);
  if (planned.images > 0) found.add("image");
  if (planned.images > 20) found.add("more than 20 images");
  if (aborted) found.add("aborted run");
  return found;
}
