import type { JsonObject } from "../../types/json.ts";
import { isObject } from "../../util/own.ts";
import { expandGenerated } from "./generate.ts";
import { largeImage } from "./large-image.ts";
import type { HostileScript, HostileStep } from "./script.ts";

/** A case, as its file says it. */
export type HostileCase = Readonly<Record<string, unknown>>;

const emptyObject = { type: "object", properties: {} };
/** The tool of a case that only has results. */
const plainTools = { tools: [{ name: "t", description: "t", inputSchema: emptyObject }] };

/** `gen.tools`: so many tools with numbered names. */
function generatedTools(gen: unknown): unknown[] {
  const wanted = isObject(gen) && isObject(gen.tools) ? gen.tools : {};
  const count = typeof wanted.count === "number" ? wanted.count : 0;
  const prefix = typeof wanted.prefix === "string" ? wanted.prefix : "tool_";
  return Array.from({ length: count }, (_, index) => {
    const name = `${prefix}${index}`;
    return { name, description: name, inputSchema: emptyObject };
  });
}

function listStep(given: Record<string, unknown>): HostileStep {
  if (typeof given.rawJson === "string" && given.type === "tools") return { rawJson: given.rawJson };
  if (given.type !== "tools") return { result: plainTools };
  const tools = Array.isArray(given.tools) ? given.tools : [];
  return { result: { tools: [...tools, ...generatedTools(given.gen)] } };
}

/** `gen.imageBytes`: a result with a picture of that many bytes. */
function generatedResults(gen: unknown): unknown[] {
  if (!isObject(gen) || typeof gen.imageBytes !== "number") return [];
  const picture = { type: "image", mimeType: "image/png", data: largeImage(gen.imageBytes) };
  return [{ content: [picture] }];
}

function callStep(given: Record<string, unknown>): HostileStep {
  const variants = Array.isArray(given.variants) ? given.variants : [];
  const raw =
    given.type === "result" && typeof given.rawJson === "string" ? [{ rawJson: given.rawJson }] : [];
  const first = given.result === undefined ? raw : [given.result, ...raw];
  const results = [...first, ...variants, ...generatedResults(given.gen)];
  return results.length === 0 ? {} : { results };
}

/**
 * The script of a case of type `server`, `tools` or `result`: its own one, or a server that lists the case's tools and
 * answers calls with its results in turn.
 */
export function scriptOfCase(hostileCase: HostileCase, era: HostileScript["era"] = "legacy"): HostileScript {
  const given = expandGenerated(hostileCase) as Record<string, unknown>;
  const own = isObject(given.script) ? (given.script as Record<string, HostileStep>) : {};
  const methods =
    given.type === "server" ? own : { "tools/list": listStep(given), "tools/call": callStep(given), ...own };
  return {
    era,
    capabilities: isObject(given.capabilities) ? (given.capabilities as JsonObject) : { tools: {} },
    methods,
    ...(Array.isArray(given.steps) ? { steps: given.steps } : {}),
    ...(Array.isArray(given.beforeStdout) ? { beforeStdout: given.beforeStdout } : {}),
    ...(isObject(given.once) ? { once: given.once as HostileScript["methods"] } : {}),
    ...(given.sessions === true ? { sessions: true } : {}),
    ...(given.ignoreSigterm === true ? { ignoreSigterm: true } : {}),
  };
}
