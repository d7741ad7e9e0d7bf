import type { HostError } from "../../errors.ts";
import type { HostAnswer, HostFetch } from "../../types/fetch.ts";
import type { Model, ModelEvent, ModelRequest, ModelResponse } from "../../types/model.ts";
import type { Clock } from "../../types/ports.ts";
import type { QuarantinedTool, ToolSnapshot } from "../../types/tool.ts";
import { linkAbort } from "../../util/abort.ts";
import { iterateEmitted } from "../../util/event-queue.ts";
import { isObject } from "../../util/own.ts";
import { type Asking, askUntilAnswered, type PreparedRequest } from "../ask.ts";
import { type Culprit, createRepairer } from "../repair.ts";
import { type AnswerReader, readAnswer } from "./answer.ts";
import { BrokenAnswer, UnexpectedAnswer } from "./answer-errors.ts";
import { blameTool } from "./blame-tool.ts";
import { countTokens, type TokenCounter } from "./count.ts";
import { firstLine } from "./error-words.ts";
import { classifyFailure, type ErrorContext } from "./failures.ts";
import { headOf } from "./post.ts";
import type { EncodedTools } from "./tools.ts";
import { type WindowFacts, windowOf } from "./window-facts.ts";

/** How a model behind an HTTP API is reached. */
export interface WireModelSettings {
  /** The model's name in the API. */
  readonly name: string;
  /** Empty when the API wants none. */
  readonly apiKey: string;
  readonly fetch: HostFetch;
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** No attempt begins later than this after the first one, in milliseconds. */
  readonly retryDeadlineMs: number;
  readonly clock: Clock;
}

/** A request body, in pieces that are sent one after the other. */
export interface EncodedRequest {
  readonly chunks: readonly Uint8Array[];
  readonly tools: EncodedTools;
  /** Whether a call in the conversation has this id. */
  hasCall(id: string): boolean;
}

/** What one API does differently from the others. */
export interface WireApi {
  readonly api: string;
  readonly toolResultImages: boolean;
  readonly windows: WindowFacts;
  /** Absent where the API counts nothing for free. */
  readonly counter?: TokenCounter;
  readonly errors: Omit<ErrorContext, "model" | "apiKey" | "wall" | "hint">;
  /** See `ErrorContext.hint`; `tools` are those of the request. */
  hint(words: string, tools: EncodedTools): string;
  encode(request: ModelRequest): EncodedRequest;
  /** Rejects with an error that has a `status` when the answer is no success. */
  post(request: EncodedRequest, signal: AbortSignal): Promise<HostAnswer>;
  /** A reader for one attempt's answer. */
  read(request: EncodedRequest): AnswerReader;
  /**
   * What of the request the body of a refusal names, so that it can be asked again without; see `createRepairer`.
   * Default: the tool that its words name.
   */
  blame?(body: unknown, request: ModelRequest, encoded: EncodedRequest): readonly Culprit[];
  /** Tools of a snapshot that are not sent, each with its reason. */
  leftOut(snapshot: ToolSnapshot): readonly QuarantinedTool[];
}

/** A stream that gives no sign for this long is dead, and so is a request without the head of an answer. */
export const idleLimitMs = 300_000;

/** How long the end of a stream is waited for once the answer is complete. */
const endOfStreamMs = 250;

/**
 * A model behind an HTTP API that streams its answer as server-sent events. Its errors have the codes `model_auth`,
 * `model_rejected`, `model_unknown`, `model_rate_limited`, `model_spend_limit`, `model_overloaded`,
 * `model_unreachable` and `model_bad_response`.
 */
export function createWireModel(settings: WireModelSettings, api: WireApi): Model {
  const repairer = createRepairer();
  const { counter, toolResultImages } = api;
  return {
    api: api.api,
    name: settings.name,
    capabilities: { toolResultImages, offline: false, ...windowOf(settings.name, api.windows) },
    leftOut: api.leftOut,
    ...(counter !== undefined && {
      countTokens: (request) => countTokens(counter, repairer.apply(request), settings.clock),
    }),
    stream: (request) =>
      iterateEmitted(async (emit, left) => {
        const abort = linkAbort(request.signal, left);
        try {
          const asked = { ...request, signal: abort.signal };
          const asking: Asking = {
            retries: settings,
            repairer,
            answeredBy: { api: api.api, model: settings.name },
            prepare: (mended) => prepare(settings, api, mended, emit),
          };
          emit({ type: "response", response: await askUntilAnswered(asking, asked, emit) });
        } finally {
          abort.end();
        }
      }),
  };
}

/** A request in the API's form, with what its failures mean. */
function prepare(
  settings: WireModelSettings,
  api: WireApi,
  request: ModelRequest,
  emit: (event: ModelEvent) => void,
): PreparedRequest {
  const encoded = api.encode(request);
  const context: ErrorContext = {
    ...api.errors,
    model: settings.name,
    apiKey: settings.apiKey,
    wall: settings.clock.wall,
    hint: (words) => api.hint(words, encoded.tools),
  };
  return {
    attempt() {
      const answer = api.read(encoded);
      return { run: () => attempt(settings, api, request, encoded, answer, emit), usage: answer.usage };
    },
    classify: (thrown) => classifyFailure(thrown, context),
    culprits: (refusal) => culpritsOf(refusal, api, request, encoded),
  };
}

/** What of the request a refusal names. */
function culpritsOf(
  { cause }: HostError,
  api: WireApi,
  request: ModelRequest,
  encoded: EncodedRequest,
): readonly Culprit[] {
  if (!isObject(cause)) return [];
  if (api.blame !== undefined) return api.blame(cause.error, request, encoded);
  return blameTool(api.errors.wordsOf(cause.error)?.text ?? "", encoded.tools);
}

/** One request and its answer. It ends with the signal, and when nothing comes for too long. */
async function attempt(
  { clock, apiKey, name }: WireModelSettings,
  api: WireApi,
  request: ModelRequest,
  encoded: EncodedRequest,
  answer: AnswerReader,
  emit: (event: ModelEvent) => void,
): Promise<ModelResponse> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  request.signal.addEventListener("abort", abort, { once: true });
  let idle = false;
  const watch = (): (() => void) =>
    clock.after(idleLimitMs, () => {
      idle = true;
      abort();
    });
  let cancelWatch = watch();
  try {
    const response = await api.post(encoded, controller.signal);
    const mediaType = response.headers.get("content-type")?.toLowerCase() ?? "";
    if (response.body === null || !mediaType.startsWith("text/event-stream")) {
      throw await notAStream(response, api, apiKey);
    }
    return await readAnswer(response.body, answer, {
      emit,
      onUsage: (usage) => emit({ type: "usage_so_far", usage, answeredBy: { api: api.api, model: name } }),
      onActivity() {
        cancelWatch();
        cancelWatch = watch();
      },
      patience: (end) =>
        new Promise((resolve) => {
          const cancel = clock.after(endOfStreamMs, resolve);
          void end.finally(cancel).then(() => resolve());
        }),
    });
  } catch (thrown) {
    if (idle)
      throw new BrokenAnswer(`The API gave no sign for ${idleLimitMs / 1000} seconds.`, { cause: thrown });
    throw thrown;
  } finally {
    cancelWatch();
    request.signal.removeEventListener("abort", abort);
  }
}

/** Says what came instead of a stream: its first line of text, and its status. */
async function notAStream(
  response: HostAnswer,
  { errors }: WireApi,
  apiKey: string,
): Promise<UnexpectedAnswer> {
  const said = firstLine(await headOf(response), apiKey) || "nothing";
  return new UnexpectedAnswer(
    `The base URL answered with something that is no stream of ${errors.apiName}: ${said} (${response.status}).`,
  );
}
