import type { SchemaDialect } from "../schema/dialect.ts";
import type { CallIds } from "../wire/call-id.ts";

/** The APIs that speak Chat Completions, by the name that stands in front of a model's name. */
export type ChatApiName =
  | "openai-chat"
  | "ollama"
  | "llamacpp"
  | "lmstudio"
  | "vllm"
  | "openrouter"
  | "mistral"
  | "deepseek";

/** What one server of Chat Completions does differently from the others. */
export interface ChatProfile {
  readonly api: ChatApiName;
  /** Its name in a sentence. */
  readonly title: string;
  /** Where it usually is; `/chat/completions` is appended. */
  readonly baseUrl: string;
  /** The environment variable with its key. */
  readonly keyVariable: string;
  /** False for servers of one's own: they are asked without a key when there is none. */
  readonly needsKey: boolean;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Whether usage has to be asked for, by `stream_options`; elsewhere it comes by itself and the field is refused. */
  readonly asksUsage: boolean;
  /** Whether requests of one conversation say so by `prompt_cache_key`. */
  readonly promptCacheKey: boolean;
  /** What `parallel_tool_calls` is set to; null leaves it out. */
  readonly parallelToolCalls: boolean | null;
  /** The content of a turn that has only calls: templates of local servers write `null` out. */
  readonly emptyContent: "null" | '""';
  /** The field of a turn that has to come back with it, empty if need be. */
  readonly requiredEcho: string | null;
  /** Fields of a turn that are sent back as they came. */
  readonly echo: readonly string[];
  /** Whether images of tool results can follow in a message of the user; else they are described. */
  readonly toolResultImages: boolean;
  /** Whether messages of the user may hold images; else they are described. */
  readonly userImages: boolean;
  /** Whether a message of the user may stand directly behind tool results. */
  readonly userAfterTool: boolean;
  /** Whether the server can be asked what a model can do, as Ollama can. */
  readonly showsModels?: boolean;
  readonly callIds: CallIds;
  readonly dialect: SchemaDialect;
  /** Most characters of a tool's description; what is over it goes to the description of its parameters. */
  readonly longestDescription?: number;
  /** Most tools of a request. */
  readonly mostTools?: number;
  /** Most bytes of all tools together. */
  readonly mostToolBytes?: number;
}
