import { HostError } from "../../errors.ts";
import type { JsonObject } from "../../types/json.ts";
import type { Model, ModelEvent, ModelRequest, ModelResponse, Usage } from "../../types/model.ts";
import type { Clock } from "../../types/ports.ts";
import { linkAbort } from "../../util/abort.ts";
import { addCounts } from "../../util/add-counts.ts";
import { systemClock } from "../../util/clock.ts";
import { iterateEmitted } from "../../util/event-queue.ts";
import { isObject } from "../../util/own.ts";
import { requestHint } from "../openai-chat/errors.ts";
import { createRepairer } from "../repair.ts";
import { withRetries } from "../retry.ts";
import { blameTool } from "../wire/blame-tool.ts";
import { plainCallIds } from "../wire/call-id.ts";
import { createPartReader } from "./answer.ts";
import { classifyLanguageModelFailure } from "./failures.ts";
import type { LanguageModel, LanguageModelCall } from "./language-model.ts";
import { createPromptEncoder, languageModelApi } from "./prompt.ts";
import { readParts } from "./read-parts.ts";
import { createToolOffer, type OfferedTools } from "./tools.ts";
import { createWarnings } from "./warnings.ts";

/** How a model object is asked. */
export interface LanguageModelSettings {
  /** Given to the provider with every request, by its name, such as `{ openai: { store: false } }`. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
  /** Attempts after the first. Default: 4. */
  readonly maxRetries?: number;
  /** No attempt begins later than this after the first one, in milliseconds. Default: 300,000. */
  readonly retryDeadlineMs?: number;
  readonly clock?: Clock;
}

/** How often one request is mended and asked again. */
const mostInARow = 16;

/**
 * A model of the AI SDK (`LanguageModelV3` or `LanguageModelV4`) as a model of a host, for providers that the host has
 * no adapter of its own for. It sees less than an adapter does: caching is the provider's, an error result is told by
 * the word `ERROR:`, images of results follow in a message of the user. What a provider signs of its turns goes back to
 * it. Retries are the host's; those of the AI SDK's own functions are not in play.
 * @throws HostError `config_invalid` when the object is no such model
 */
export function fromLanguageModel(model: LanguageModel, settings: LanguageModelSettings = {}): Model {
  checkModel(model);
  const name = `${model.provider}/${model.modelId}`;
  const asking: Asking = {
    model,
    name,
    settings: { maxRetries: 4, retryDeadlineMs: 300_000, clock: systemClock, ...settings },
    prompt: createPromptEncoder(model.specificationVersion, name),
    tools: createToolOffer(),
    warnings: createWarnings(),
    repairer: createRepairer(),
  };
  return {
    api: languageModelApi,
    name,
    capabilities: { toolResultImages: true, offline: false },
    stream: (request) =>
      iterateEmitted(async (emit, left) => {
        const abort = linkAbort(request.signal, left);
        try {
          emit({
            type: "response",
            response: await ask(asking, { ...request, signal: abort.signal }, emit),
          });
        } finally {
          abort.end();
        }
      }),
  };
}

function checkModel(model: unknown): void {
  const version = isObject(model) ? String(model.specificationVersion) : "none";
  const fits =
    isObject(model) && (version === "v3" || version === "v4") && typeof model.doStream === "function";
  if (fits) return;
  throw new HostError(
    "config_invalid",
    `fromLanguageModel() takes a language model of the AI SDK of version v3 or v4; this is of version ${version}. Update the provider's package.`,
  );
}

/** What one model object is asked with. */
interface Asking {
  readonly model: LanguageModel;
  readonly name: string;
  readonly settings: LanguageModelSettings &
    Required<Pick<LanguageModelSettings, "maxRetries" | "retryDeadlineMs" | "clock">>;
  readonly prompt: ReturnType<typeof createPromptEncoder>;
  readonly tools: ReturnType<typeof createToolOffer>;
  readonly warnings: ReturnType<typeof createWarnings>;
  readonly repairer: ReturnType<typeof createRepairer>;
}

/** Asks, and asks again without a tool that the provider refuses by its name. */
async function ask(
  asking: Asking,
  request: ModelRequest,
  emit: (event: ModelEvent) => void,
): Promise<ModelResponse> {
  const { repairer } = asking;
  for (let repaired = 0; ; repaired += 1) {
    const mended = repairer.apply(request);
    const offered = asking.tools(mended.snapshot);
    try {
      return await askWithRetries(asking, mended, offered, emit);
    } catch (thrown) {
      if (!(thrown instanceof HostError) || thrown.code !== "model_rejected" || repaired >= mostInARow) {
        throw thrown;
      }
      const repairs = repairer.learn(request, blameTool(thrown.message, offered.encoded));
      if (repairs.length === 0) throw thrown;
      emit({ type: "attempt_failed", attempt: repaired + 1, reason: thrown.message, retryInMs: 0 });
      for (const { code, text } of repairs) emit({ type: "warning", code, text });
    }
  }
}

async function askWithRetries(
  { model, name, settings, prompt, warnings }: Asking,
  request: ModelRequest,
  { tools, encoded }: OfferedTools,
  emit: (event: ModelEvent) => void,
): Promise<ModelResponse> {
  const ids = new Set(
    request.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_call" ? [plainCallIds.wireId(block.id)] : [])),
    ),
  );
  let spent: Usage | null = null;
  const run = async (): Promise<ModelResponse> => {
    const answer = createPartReader({ model: name, taken: (id) => ids.has(id), restore: encoded.restore });
    const call: LanguageModelCall = {
      prompt: prompt(request.system, request.messages),
      maxOutputTokens: request.maxTokens,
      ...(tools.length === 0 ? {} : { tools: [...tools] }),
      ...(settings.providerOptions === undefined ? {} : { providerOptions: { ...settings.providerOptions } }),
    };
    try {
      await readParts(model, call, request.signal, settings.clock, (part) => {
        for (const event of [...warnings(part), ...answer.take(part)]) emit(event);
        return answer.ended;
      });
      const response = answer.response();
      return spent === null ? response : { ...response, usage: addCounts(spent, response.usage) };
    } catch (thrown) {
      spent = spent === null ? answer.usage() : addCounts(spent, answer.usage());
      throw thrown;
    }
  };
  const context = {
    provider: model.provider,
    model: name,
    wall: settings.clock.wall,
    hint: (words: string) => requestHint(words, encoded),
  };
  const classify = (thrown: unknown) => classifyLanguageModelFailure(thrown, context);
  return await withRetries(settings, request.signal, run, classify, emit);
}
