import type { HostFetch } from "../../types/fetch.ts";
import type { Model, ModelEvent, ModelRequest, ModelResponse, Usage } from "../../types/model.ts";
import type { Clock } from "../../types/ports.ts";
import { linkAbort } from "../../util/abort.ts";
import { addCounts } from "../../util/add-counts.ts";
import { iterateEmitted } from "../../util/event-queue.ts";
import { withRetries } from "../retry.ts";
import { BrokenAnswer, classifyFailure, firstLine, UnexpectedAnswer } from "./errors.ts";
import { createRequestEncoder, type EncodedRequest, type RequestEncoder } from "./request.ts";
import { readAnswer } from "./stream.ts";
import { createTransport, type Transport } from "./transport.ts";
import { createUsageMeter } from "./usage.ts";

/** How a Claude model is reached. */
export interface AnthropicSettings {
  /** The model's name in the API. */
  readonly name: string;
  readonly apiKey: string;
  /** `/v1/messages` is appended. Default: the public API. */
  readonly baseUrl?: string;
  readonly fetch: HostFetch;
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** No attempt begins later than this after the first one, in milliseconds. */
  readonly retryDeadlineMs: number;
  readonly clock: Clock;
}

/** A stream that gives no sign for this long is dead: the API sends a ping every few seconds. */
const idleLimitMs = 300_000;

/** How long the end of a stream is waited for once the answer is complete. */
const endOfStreamMs = 250;

/**
 * A model of the Anthropic Messages API. Its errors have the codes `model_auth`, `model_rejected`, `model_unknown`,
 * `model_rate_limited`, `model_spend_limit`, `model_overloaded`, `model_unreachable` and `model_bad_response`.
 */
export function createAnthropicModel(settings: AnthropicSettings): Model {
  const baseUrl = settings.baseUrl ?? "https://api.anthropic.com";
  const transport = createTransport({ ...settings, baseUrl, headTimeoutMs: idleLimitMs });
  const encode = createRequestEncoder(settings.name);
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
  return {
    api: "anthropic",
    name: settings.name,
    capabilities: { toolResultImages: true, offline: false },
    stream: (request) =>
      iterateEmitted(async (emit, left) => {
        const abort = linkAbort(request.signal, left);
        try {
          const asked = { ...request, signal: abort.signal };
          emit({ type: "response", response: await ask(settings, { transport, encode, host }, asked, emit) });
        } finally {
          abort.end();
        }
      }),
  };
}

interface Parts {
  readonly transport: Transport;
  readonly encode: RequestEncoder;
  readonly host: string;
}

async function ask(
  settings: AnthropicSettings,
  parts: Parts,
  request: ModelRequest,
  emit: (event: ModelEvent) => void,
): Promise<ModelResponse> {
  const encoded = parts.encode(request);
  const context = {
    model: settings.name,
    host: parts.host,
    apiKey: settings.apiKey,
    wall: settings.clock.wall,
    toolAt(index: number): string | null {
      const route = request.snapshot.tools[index]?.route;
      return route === undefined ? null : `"${route.tool}" of the server "${route.server}"`;
    },
  };
  let spent: Usage | null = null;
  const run = async (): Promise<ModelResponse> => {
    const usage = createUsageMeter();
    try {
      const response = await attempt(settings, parts.transport, request, encoded, usage, emit);
      return spent === null ? response : { ...response, usage: addCounts(spent, response.usage) };
    } catch (thrown) {
      spent = spent === null ? usage.total() : addCounts(spent, usage.total());
      throw thrown;
    }
  };
  const classify = (thrown: unknown) => classifyFailure(thrown, context);
  return withRetries(settings, request.signal, run, classify, emit);
}

/** One request and its answer. It ends with the signal, and when nothing comes for too long. */
async function attempt(
  { clock, name }: AnthropicSettings,
  transport: Transport,
  request: ModelRequest,
  encoded: EncodedRequest,
  usage: ReturnType<typeof createUsageMeter>,
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
    const response = await transport.post(encoded.chunks, controller.signal);
    if (response.body === null || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
      const said = firstLine(await response.text());
      throw new UnexpectedAnswer(
        `The base URL answered with something that is no stream of the Messages API: ${said}`,
      );
    }
    return await readAnswer(response.body, {
      model: name,
      request: encoded,
      usage,
      emit,
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
