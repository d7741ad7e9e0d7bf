import type { LanguageModel, LanguageModelCall } from "../../../src/models/language-model/language-model.ts";

/** Parts of an answer in the interface's form. */
export type Part = Readonly<Record<string, unknown>>;

/** What one request is answered with. */
export interface FakeAnswer {
  readonly parts?: readonly Part[];
  /** `doStream` rejects with this. */
  readonly rejects?: unknown;
  /** The stream breaks with this behind its parts. */
  readonly breaks?: unknown;
  /** Milliseconds until the stream is there. */
  readonly delayMs?: number;
}

export interface FakeModel extends LanguageModel {
  readonly calls: LanguageModelCall[];
  /** How many streams were given up before their end. */
  readonly cancelled: () => number;
}

/** A model object that answers from a list, written after the published interface. */
export function fakeModel(
  answers: readonly FakeAnswer[],
  specificationVersion: "v3" | "v4" = "v3",
): FakeModel {
  const calls: LanguageModelCall[] = [];
  let cancelled = 0;
  return {
    specificationVersion,
    provider: "fake.chat",
    modelId: "fake-1",
    calls,
    cancelled: () => cancelled,
    async doStream(call) {
      const { abortSignal } = call;
      const { parts = [], rejects, breaks, delayMs = 0 } = answers[calls.length] ?? {};
      calls.push(call);
      if (delayMs > 0) {
        await new Promise((resolve, reject) => {
          const timer = setTimeout(resolve, delayMs);
          abortSignal?.addEventListener("abort", () => {
            clearTimeout(timer);
            reject(new DOMException("aborted", "AbortError"));
          });
        });
      }
      if (rejects !== undefined) throw rejects;
      let sent = 0;
      const stream = new ReadableStream<unknown>({
        async pull(controller) {
          await Promise.resolve();
          const part = parts[sent];
          sent += 1;
          if (part !== undefined) controller.enqueue(part);
          else if (breaks !== undefined) controller.error(breaks);
          else controller.close();
        },
        cancel() {
          cancelled += 1;
        },
      });
      return { stream };
    },
  };
}

const usage = {
  inputTokens: { total: 100, noCache: 60, cacheRead: 30, cacheWrite: 10 },
  outputTokens: { total: 20, text: 15, reasoning: 5 },
};

export function finish(unified = "stop", raw?: string, extra: Part = {}): Part {
  return { type: "finish", finishReason: { unified, raw }, usage, ...extra };
}

export function text(words: string, id = "0", providerMetadata?: object): Part[] {
  const metadata = providerMetadata === undefined ? {} : { providerMetadata };
  const pieces = words.match(/[\s\S]{1,5}/gu) ?? [];
  return [
    { type: "text-start", id },
    ...pieces.map((delta) => ({ type: "text-delta", id, delta })),
    { type: "text-end", id, ...metadata },
  ];
}

export function reasoning(words: string, providerMetadata?: object, id = "r"): Part[] {
  return [
    { type: "reasoning-start", id },
    { type: "reasoning-delta", id, delta: words },
    ...(providerMetadata === undefined ? [] : [{ type: "reasoning-delta", id, delta: "", providerMetadata }]),
    { type: "reasoning-end", id },
  ];
}

export function toolCall(toolCallId: string, toolName: string, input: string, extra: Part = {}): Part[] {
  const pieces = input.match(/[\s\S]{1,5}/gu) ?? [];
  return [
    { type: "tool-input-start", id: toolCallId, toolName },
    ...pieces.map((delta) => ({ type: "tool-input-delta", id: toolCallId, delta })),
    { type: "tool-input-end", id: toolCallId },
    { type: "tool-call", toolCallId, toolName, input, ...extra },
  ];
}

/** An error of the shape of `APICallError`. */
export function callError(
  statusCode: number | undefined,
  body: unknown,
  extra: { readonly isRetryable?: boolean; readonly responseHeaders?: Record<string, string> } = {},
): Error {
  const responseBody = typeof body === "string" ? body : JSON.stringify(body);
  const isRetryable = statusCode === 429 || (statusCode ?? 500) >= 500;
  return Object.assign(new Error("the call failed"), {
    name: "AI_APICallError",
    url: "https://api.example/v1",
    requestBodyValues: {},
    ...(statusCode === undefined ? {} : { statusCode }),
    responseBody,
    isRetryable,
    ...extra,
  });
}
