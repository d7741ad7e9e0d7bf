import { HostError } from "../../errors.ts";
import type { JsonObject } from "../../types/json.ts";
import type { Model, ModelEvent, ModelRequest, ModelResponse } from "../../types/model.ts";
import type { Clock } from "../../types/ports.ts";
import { linkAbort } from "../../util/abort.ts";
import { systemClock } from "../../util/clock.ts";
import { iterateEmitted } from "../../util/event-queue.ts";
import { isObject } from "../../util/own.ts";
import { type Asking, askUntilAnswered, type PreparedRequest } from "../ask.ts";
import { requestHint } from "../openai-chat/errors.ts";
import { createRepairer } from "../repair.ts";
import { blameTool } from "../wire/blame-tool.ts";
import { plainCallIds } from "../wire/call-id.ts";
import { createPartReader } from "./answer.ts";
import { classifyLanguageModelFailure } from "./failures.ts";
import type { LanguageModel, LanguageModelCall } from "./language-model.ts";
import { createPromptEncoder, languageModelApi } from "./prompt.ts";
import { readParts } from "./read-parts.ts";
import { createToolOffer } from "./tools.ts";
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
  const parts: LanguageModelParts = {
    model,
    name,
    settings: { maxRetries: 4, retryDeadlineMs: 300_000, clock: systemClock, ...settings },
    prompt: createPromptEncoder(model.specificationVersion, name),
    tools: createToolOffer(),
    warnings: createWarnings(),
  };
  const repairer = createRepairer();
  return {
    api: languageModelApi,
    name,
    capabilities: { toolResultImages: true, offline: false },
    stream: (request) =>
      iterateEmitted(async (emit, left) => {
        const abort = linkAbort(request.signal, left);
        try {
          const asked = { ...request, signal: abort.signal };
          const asking: Asking = {
            retries: parts.settings,
            repairer,
            answeredBy: { api: languageModelApi, model: name },
            prepare: (mended) => prepare(parts, mended, emit),
          };
          emit({ type: "response", response: await askUntilAnswered(asking, asked, emit) });
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
interface LanguageModelParts {
  readonly model: LanguageModel;
  readonly name: string;
  readonly settings: LanguageModelSettings &
    Required<Pick<LanguageModelSettings, "maxRetries" | "retryDeadlineMs" | "clock">>;
  readonly prompt: ReturnType<typeof createPromptEncoder>;
  readonly tools: ReturnType<typeof createToolOffer>;
  readonly warnings: ReturnType<typeof createWarnings>;
}

/** A request in the interface's form, with what its failures mean. */
function prepare(
  { model, name, settings, prompt, tools: offer, warnings }: LanguageModelParts,
  request: ModelRequest,
  emit: (event: ModelEvent) => void,
): PreparedRequest {
  const { tools, encoded } = offer(request.snapshot);
  const ids = new Set(
    request.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_call" ? [plainCallIds.wireId(block.id)] : [])),
    ),
  );
  const context = {
    provider: model.provider,
    model: name,
    wall: settings.clock.wall,
    hint: (words: string) => requestHint(words, encoded),
  };
  return {
    attempt() {
      const answer = createPartReader({ model: name, taken: (id) => ids.has(id), restore: encoded.restore });
      const run = async (): Promise<ModelResponse> => {
        const call: LanguageModelCall = {
          prompt: prompt(request.system, request.messages),
          maxOutputTokens: request.maxTokens,
          ...(tools.length === 0 ? {} : { tools: [...tools] }),
          ...(settings.providerOptions === undefined
            ? {}
            : { providerOptions: { ...settings.providerOptions } }),
        };
        await readParts(model, call, request.signal, settings.clock, (part) => {
          for (const event of [...warnings(part), ...answer.take(part)]) emit(event);
          return answer.ended;
        });
        return answer.response();
      };
      return { run, usage: answer.usage };
    },
    classify: (thrown) => classifyLanguageModelFailure(thrown, context),
    culprits: ({ message }) => blameTool(message, encoded),
  };
}
