import type { SchemaDialect } from "../schema/dialect.ts";
import { openaiDialect } from "../schema/openai-dialect.ts";
import { nineCharacterCallIds, shortCallIds } from "../wire/call-id.ts";
import type { ChatApiName, ChatProfile } from "./profile.ts";

/** The same for servers that hand schemas on to others, or into a prompt, where a reference leads nowhere. */
const inlinedDialect: SchemaDialect = { ...openaiDialect, references: "inline" };

/** Keywords that llama.cpp cannot write into its grammar; any of them would refuse every tool. */
const ungrammatical: ReadonlySet<string> = new Set(
  (
    "pattern not if then else patternProperties propertyNames dependentSchemas contains unevaluatedProperties " +
    "unevaluatedItems"
  ).split(" "),
);

/** Repetitions and digits above these make a grammar that is too large. */
const longestRepetition = 256;
const largestBound = 1_000_000;

/** What llama.cpp can write into the one grammar of all tools. */
const grammarDialect: SchemaDialect = {
  ...openaiDialect,
  formats: new Set(["date", "time", "date-time", "uuid"]),
  // There `{}` is an object, and an object with `properties` has no others: what is open has to stay without both.
  completeContainers: false,
  namedTypes: true,
  notes: true,
  refuses(keyword, value) {
    if (ungrammatical.has(keyword)) return true;
    if (typeof value !== "number") return false;
    if (/^(?:min|max)(?:Length|Items)$/.test(keyword)) return value > longestRepetition;
    if (keyword === "multipleOf") return true;
    return /^(?:minimum|maximum|exclusiveM\w+)$/.test(keyword)
      ? !Number.isInteger(value) || Math.abs(value) > largestBound
      : false;
  },
};

const openai: ChatProfile = {
  api: "openai-chat",
  title: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  keyVariable: "OPENAI_API_KEY",
  needsKey: true,
  maxTokensField: "max_completion_tokens",
  asksUsage: true,
  promptCacheKey: true,
  parallelToolCalls: null,
  emptyContent: "null",
  requiredEcho: null,
  echo: [],
  toolResultImages: true,
  userImages: true,
  userAfterTool: true,
  callIds: shortCallIds,
  dialect: openaiDialect,
  mostTools: 128,
  longestDescription: 1_024,
};

/** A server that speaks as OpenAI's does, for other models. */
const compatible: Omit<ChatProfile, "api" | "title" | "baseUrl" | "keyVariable"> = (({
  longestDescription: _,
  ...rest
}) => ({ ...rest, maxTokensField: "max_tokens" as const, promptCacheKey: false }))(openai);

/** One on the person's own machine. */
const local: typeof compatible = (({ mostTools: _, ...rest }) => ({
  ...rest,
  needsKey: false,
  emptyContent: '""' as const,
}))(compatible);

/** Differences of the servers, by the name in front of a model's name. */
export const chatProfiles: Readonly<Record<ChatApiName, ChatProfile>> = {
  "openai-chat": openai,
  ollama: {
    ...local,
    api: "ollama",
    title: "Ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    keyVariable: "OLLAMA_API_KEY",
    showsModels: true,
    dialect: inlinedDialect,
  },
  llamacpp: {
    ...local,
    api: "llamacpp",
    title: "llama.cpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    keyVariable: "LLAMACPP_API_KEY",
    // It takes several calls of one turn apart wrongly.
    parallelToolCalls: false,
    dialect: grammarDialect,
    // Measured: 97,102 bytes become a grammar, 100,026 do not.
    mostToolBytes: 96_000,
  },
  lmstudio: {
    ...local,
    api: "lmstudio",
    title: "LM Studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    keyVariable: "LMSTUDIO_API_KEY",
    dialect: grammarDialect,
  },
  vllm: {
    ...local,
    api: "vllm",
    title: "vLLM",
    baseUrl: "http://127.0.0.1:8000/v1",
    keyVariable: "VLLM_API_KEY",
  },
  openrouter: {
    ...compatible,
    api: "openrouter",
    title: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    echo: ["reasoning_details"],
    dialect: inlinedDialect,
  },
  mistral: {
    ...compatible,
    api: "mistral",
    title: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    asksUsage: false,
    emptyContent: '""',
    toolResultImages: false,
    userAfterTool: false,
    callIds: nineCharacterCallIds,
  },
  deepseek: {
    ...compatible,
    api: "deepseek",
    title: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    requiredEcho: "reasoning_content",
    toolResultImages: false,
    userImages: false,
  },
};
