import { anthropicKey, anthropicSettings } from "../config/anthropic.ts";
import type { Environment } from "../config/environment.ts";
import { geminiKeyVariable, geminiSettings } from "../config/gemini.ts";
import { type ModelApiVariables, modelApiSettings } from "../config/model-api.ts";
import { createAnthropicModel } from "../models/anthropic/model.ts";
import { withFallbacks } from "../models/fallback.ts";
import { createGeminiModel } from "../models/gemini/model.ts";
import { createOfflineModel } from "../models/offline/model.ts";
import { createOpenAiChatModel } from "../models/openai-chat/model.ts";
import type { ChatProfile } from "../models/openai-chat/profile.ts";
import { chatProfiles } from "../models/openai-chat/profiles.ts";
import { createOpenAiResponsesModel } from "../models/openai-responses/model.ts";
import { apiOfModel, type SelectableApi, selectModel } from "../models/select.ts";
import type { HostOptions, Limits } from "../types/config.ts";
import type { HostFetch } from "../types/fetch.ts";
import type { Model } from "../types/model.ts";
import type { Clock, Secrets } from "../types/ports.ts";

/** What the models of a host are made of. */
export interface ModelParts {
  readonly environment: Environment;
  readonly secrets: Secrets;
  readonly fetch: HostFetch;
  readonly limits: Limits;
  readonly clock: Clock;
  /** Gives a model no more tools than it has room for. */
  readonly offering: (model: Model) => Model;
}

/**
 * Makes the models of a host by their names, each with the fallbacks of the options; the options' base URL is that of
 * the API of their own model alone.
 */
export function createModelSelector(
  options: Pick<HostOptions, "model" | "fallbackModels" | "baseUrl">,
  parts: ModelParts,
): (wanted: HostOptions["model"]) => Model {
  const { environment, secrets, fetch, limits, clock, offering } = parts;
  const common = {
    fetch,
    maxRetries: limits.modelRetries,
    retryDeadlineMs: limits.modelRetryMs,
    clock,
  };
  const configured =
    typeof options.model === "string" ? (apiOfModel(options.model)?.api ?? null) : "anthropic";
  const baseUrlOf = (api: string): string | undefined => (api === configured ? options.baseUrl : undefined);

  const anthropic: SelectableApi = {
    keyVariable: "ANTHROPIC_API_KEY",
    ready: anthropicKey(environment) !== "",
    make: (name) =>
      createAnthropicModel({ name, ...anthropicSettings(environment, baseUrlOf("anthropic")), ...common }),
  };
  secrets.register("ANTHROPIC_API_KEY", anthropicKey(environment));

  const geminiKey = geminiKeyVariable(environment);
  const gemini: SelectableApi = {
    keyVariable: geminiKey,
    ready: (environment[geminiKey]?.trim() ?? "") !== "",
    make(name) {
      const settings = geminiSettings(environment, baseUrlOf("gemini"));
      secrets.register(geminiKey, settings.apiKey);
      return createGeminiModel({ name, ...settings, ...common });
    },
  };

  const responses = (api: string): SelectableApi => ({
    keyVariable: openaiVariables.key,
    ready: (environment[openaiVariables.key]?.trim() ?? "") !== "",
    make(name) {
      const settings = modelApiSettings(environment, openaiVariables, baseUrlOf(api));
      secrets.register(openaiVariables.key, settings.apiKey);
      return createOpenAiResponsesModel({ name, ...settings, ...common });
    },
  });
  const openai = { openai: responses("openai"), "openai-responses": responses("openai-responses") };

  const chat = (profile: ChatProfile): SelectableApi => ({
    keyVariable: profile.keyVariable,
    ready: !profile.needsKey || (environment[profile.keyVariable]?.trim() ?? "") !== "",
    make(name) {
      const settings = modelApiSettings(environment, variablesOf(profile), baseUrlOf(profile.api));
      secrets.register(profile.keyVariable, settings.apiKey);
      return createOpenAiChatModel({ name, profile, ...settings, ...common });
    },
  });

  const chats = Object.fromEntries(
    Object.entries(chatProfiles).map(([api, profile]) => [api, chat(profile)]),
  );
  const selectable = { apis: { anthropic, ...openai, gemini, ...chats }, offline: createOfflineModel };
  const select = (wanted: HostOptions["model"]): Model =>
    offering(typeof wanted === "object" ? wanted : selectModel(wanted, selectable));
  const fallbacks = (options.fallbackModels ?? []).map(select);
  return (wanted) => withFallbacks(select(wanted), fallbacks);
}

const openaiVariables: ModelApiVariables = {
  key: "OPENAI_API_KEY",
  baseUrl: "OPENAI_BASE_URL",
  example: "https://api.openai.com/v1",
};

function variablesOf({ keyVariable, baseUrl }: ChatProfile): ModelApiVariables {
  return { key: keyVariable, baseUrl: keyVariable.replace(/_API_KEY$/, "_BASE_URL"), example: baseUrl };
}
