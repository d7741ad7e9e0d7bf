import type { Usage } from "../types/model.ts";
import type { SpanAttributes } from "../types/telemetry.ts";
import { visibleText } from "../util/visible.ts";

/** Most characters of a name or an id in a span, and of a text of the conversation. */
const mostOfName = 256;
const mostOfContent = 16_384;

/** Makes texts fit to leave the process. */
export interface SpanTexts {
  /** A name, an id or a rule. */
  name(text: string): string;
  /** Words of the conversation. */
  content(text: string): string;
  /** The whole text without its secrets. */
  redact(text: string): string;
}

/** Secrets are replaced before anything is cut, so that no part of one is left at the cut. */
export function spanTexts(redact: (text: string) => string): SpanTexts {
  const bounded = (text: string, most: number): string => {
    const shown = redact(text);
    if (shown.length <= most) return visibleText(shown);
    return `${visibleText(shown.slice(0, most))}… (${shown.length - most} more characters)`;
  };
  return {
    redact,
    name: (text) => bounded(text, mostOfName),
    content: (text) => bounded(text, mostOfContent),
  };
}

/** The names that the registry of GenAI attributes has for providers (`gen_ai.provider.name`). */
const providers: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  "openai-responses": "openai",
  "openai-chat": "openai",
  gemini: "gcp.gemini",
};

/** What a span says of a model; `apiAndName` is `api/name`. */
export function modelAttributes(apiAndName: string): SpanAttributes {
  const slash = apiAndName.indexOf("/");
  const api = apiAndName.slice(0, slash);
  const name = apiAndName.slice(slash + 1);
  const provider = Object.hasOwn(providers, api) ? providers[api] : undefined;
  return { "gen_ai.provider.name": provider ?? api, "gen_ai.request.model": name };
}

/** Tokens as the GenAI conventions count them: those of the cache are part of the input (`gen_ai.usage.input_tokens`). */
export function usageAttributes(usage: Usage): SpanAttributes {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    "gen_ai.usage.input_tokens": inputTokens + cacheReadTokens + cacheWriteTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "gen_ai.usage.cache_read.input_tokens": cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": cacheWriteTokens,
    ...(reasoningTokens === undefined ? {} : { "gen_ai.usage.reasoning.output_tokens": reasoningTokens }),
  };
}

/** The same with every text fit for a span. */
export function named(attributes: SpanAttributes, texts: SpanTexts): SpanAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key,
      typeof value === "string" ? texts.name(value) : value,
    ]),
  );
}
