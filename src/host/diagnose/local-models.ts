import { isObject } from "../../util/own.ts";

/** A program on this computer that serves models. */
export interface LocalModels {
  readonly name: string;
  /** Its OpenAI-compatible address. */
  readonly url: string;
  /** Names of the models it has, at most 20; null when nothing that serves models answers there. */
  readonly models: readonly string[] | null;
}

/** Where these programs listen unless they are told otherwise. */
export const usualLocalServers: readonly { readonly name: string; readonly url: string }[] = [
  { name: "Ollama", url: "http://127.0.0.1:11434/v1" },
  { name: "llama.cpp", url: "http://127.0.0.1:8080/v1" },
  { name: "LM Studio", url: "http://127.0.0.1:1234/v1" },
];

const askLimitMs = 1_000;
const mostBytes = 1024 * 1024;
const mostModels = 20;

/** Asks each which models it has, for `limitMs` at most. Never rejects. */
export function findLocalModels(
  servers: readonly { readonly name: string; readonly url: string }[],
  signal: AbortSignal | undefined,
  limitMs: number = askLimitMs,
): Promise<readonly LocalModels[]> {
  return Promise.all(
    servers.map(async ({ name, url }) => ({ name, url, models: await modelsAt(url, signal, limitMs) })),
  );
}

async function modelsAt(
  url: string,
  signal: AbortSignal | undefined,
  limitMs: number,
): Promise<readonly string[] | null> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(`${url}/models`, {
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      redirect: "error",
    });
    const answer: unknown = response.ok ? JSON.parse(await boundedText(response)) : null;
    if (!isObject(answer) || !(answer.data === null || Array.isArray(answer.data))) return null;
    const names = (answer.data ?? []).map((model: unknown) => (isObject(model) ? model.id : undefined));
    return names.filter((name: unknown) => typeof name === "string").slice(0, mostModels);
  } catch {
    // Nobody there, or somebody who serves no models.
    return null;
  }
}

/** Anything may listen there: an answer without an end is not read on. */
async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostBytes) throw new Error("the answer is too long");
  }
  return text;
}
