/** The servers of Chat Completions that the simulator can stand for. */
export type ChatServerKind =
  | "openai"
  | "ollama"
  | "llamacpp"
  | "lmstudio"
  | "vllm"
  | "openrouter"
  | "mistral"
  | "deepseek";

/** Servers on the internet: they want a key. */
export const hostedKinds: ReadonlySet<ChatServerKind> = new Set([
  "openai",
  "openrouter",
  "mistral",
  "deepseek",
]);
