import { HostError } from "../../errors.ts";
import type { HostFetch } from "../../types/fetch.ts";
import { linkAbort } from "../../util/abort.ts";
import { isObject } from "../../util/own.ts";
import { encodeJson } from "../wire/json-bytes.ts";
import { headOf, postChunks } from "../wire/post.ts";

/** How a server is asked what its model can do. */
interface ToolSupportSettings {
  readonly name: string;
  /** The server's name in a sentence. */
  readonly title: string;
  /** Where Chat Completions are; what Ollama itself speaks is beside their `/v1`. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: HostFetch;
}

/** A server that takes longer to say it is not waited for. */
const limitMs = 1_000;

/** The answer holds licences, templates and a list of tensors in front of what is looked for. */
const answerLimit = 4 * 1024 * 1024;

/**
 * Asks Ollama what its model can do (`POST /api/show`), once it is about to get tools, until that is known. A server that
 * does not say, or not in time, is taken at its word when it refuses.
 * @throws HostError `model_rejected` for a model that cannot use tools
 */
export function createToolSupport(settings: ToolSupportSettings): (signal: AbortSignal) => Promise<void> {
  let asked = false;
  return async (signal) => {
    if (asked) return;
    const capabilities = await capabilitiesOf(settings, signal);
    if (capabilities !== null && !capabilities.includes("tools")) {
      throw new HostError(
        "model_rejected",
        `${settings.title} says that the model ${settings.name} cannot use tools: choose another one, or ask without servers.`,
      );
    }
    asked = true;
  };
}

/** Null when the server does not say. */
async function capabilitiesOf(
  { name, baseUrl, headers, fetch }: ToolSupportSettings,
  signal: AbortSignal,
): Promise<readonly unknown[] | null> {
  const abort = linkAbort(signal, AbortSignal.timeout(limitMs));
  try {
    const url = `${baseUrl.replace(/\/v1$/, "")}/api/show`;
    const body = [encodeJson(JSON.stringify({ model: name }))];
    const json = { accept: "application/json", ...headers };
    const response = await postChunks(fetch, url, json, body, abort.signal);
    const answer: unknown = JSON.parse(await headOf(response, answerLimit));
    return isObject(answer) && Array.isArray(answer.capabilities) ? answer.capabilities : null;
  } catch {
    return null;
  } finally {
    abort.end();
  }
}
