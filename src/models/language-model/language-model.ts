/**
 * A model object of the AI SDK, as far as it is used here: `LanguageModelV3` (AI SDK 6) and `LanguageModelV4` (AI SDK 7)
 * of `@ai-sdk/provider` both fit.
 */
export interface LanguageModel {
  readonly specificationVersion: "v3" | "v4";
  /** Such as `amazon-bedrock` or `mistral.chat`. */
  readonly provider: string;
  /** The model's name at the provider. */
  readonly modelId: string;
  doStream(options: LanguageModelCall): PromiseLike<LanguageModelStream>;
}

/** What one request gives to the model object. */
export interface LanguageModelCall {
  /** Messages in the interface's form. */
  prompt: object[];
  tools?: object[];
  maxOutputTokens?: number;
  abortSignal?: AbortSignal;
  /** By the provider's name: what only that provider understands. */
  providerOptions?: Record<string, object>;
}

export interface LanguageModelStream {
  /** Parts of the answer in the interface's form. */
  readonly stream: ReadableStream<unknown>;
}

/** The versions of the interface that are understood. */
export type LanguageModelVersion = LanguageModel["specificationVersion"];
