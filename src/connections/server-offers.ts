import { HostError } from "../errors.ts";
import type { ServerOffers } from "../types/offers.ts";
import type { Clock } from "../types/ports.ts";
import type { ServerPrompt } from "../types/prompt.ts";
import type { ServerListing } from "../types/resource.ts";
import { ask, type Question } from "./ask.ts";
import { callNotSent } from "./call-failure.ts";
import { completionParams, ingestCompletion, noCompletion } from "./completion.ts";
import type { Connection } from "./connection.ts";
import { createOfferList, type OfferList } from "./offer-list.ts";
import type { DeclaredOffers } from "./offers.ts";
import { ingestPromptResult, readPromptEntry } from "./prompts.ts";
import { ingestReadResult, readResourceEntry, readTemplateEntry } from "./resources.ts";

export interface ServerOffersSettings {
  readonly server: string;
  readonly listMs: number;
  readonly clock: Clock;
  readonly inFlight: Set<() => void>;
  readonly redact: (text: string) => string;
  readonly current: () => Connection | null;
  /** Waits for a server that is being started. Rejects with `call_not_sent` when it cannot be used. */
  readonly connection: (signal: AbortSignal) => Promise<Connection>;
}

/** What one server offers beside tools, through all its starts. */
export interface ManagedOffers extends ServerOffers {
  markStale(): void;
}

export function createServerOffers(settings: ServerOffersSettings): ManagedOffers {
  const { server, inFlight, redact } = settings;
  const common = { server, listMs: settings.listMs, clock: settings.clock, inFlight, redact };
  const resources = createOfferList({
    ...common,
    method: "resources/list",
    member: "resources",
    read: readResourceEntry,
  });
  const templates = createOfferList({
    ...common,
    method: "resources/templates/list",
    member: "resourceTemplates",
    read: readTemplateEntry,
  });
  const prompts = createOfferList({
    ...common,
    method: "prompts/list",
    member: "prompts",
    read: readPromptEntry,
  });

  let hadResources = false;

  async function offering(offer: keyof DeclaredOffers, question: Omit<Question, "server">): Promise<unknown> {
    const connection = await settings.connection(question.signal);
    if (!connection.offers[offer]) throw callNotSent(server, `it has no ${offer}.`);
    return ask(connection, { ...question, server }, inFlight, redact);
  }

  return {
    ready: (signal) => settings.connection(signal).then(() => {}),
    hasResources() {
      // A server that is being started again is taken to be what it was.
      hadResources = settings.current()?.offers.resources ?? hadResources;
      return hadResources;
    },
    resources: (signal) => listing(settings, resources, "resources", "announcesResources", signal),
    templates: (signal) => listing(settings, templates, "resources", "announcesResources", signal),
    prompts: (signal) => listing(settings, prompts, "prompts", "announcesPrompts", signal),
    async read(uri, question) {
      const method = "resources/read";
      return ingestReadResult(await offering("resources", { method, params: { uri }, ...question }), uri);
    },
    async prompt(name, args, question) {
      await checkArguments(settings, prompts, { name, args }, question.signal);
      const params = { name, arguments: args };
      return ingestPromptResult(await offering("prompts", { method: "prompts/get", params, ...question }));
    },
    async complete(reference, argument, given, question) {
      const connection = await settings.connection(question.signal);
      if (!connection.offers.completions) return noCompletion;
      const params = completionParams(reference, argument, given);
      const asked: Question = { server, method: "completion/complete", params, ...question };
      return ingestCompletion(await ask(connection, asked, inFlight, redact));
    },
    markStale() {
      for (const list of [resources, templates, prompts]) list.markStale();
    },
  };
}

/** @throws HostError `call_invalid` when the prompt, as it was listed, needs an argument that is not given */
async function checkArguments(
  { server, current }: ServerOffersSettings,
  prompts: OfferList<ServerPrompt>,
  given: { readonly name: string; readonly args: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<void> {
  const connection = current();
  if (connection === null || missingArguments(prompts.known(connection), given).length === 0) return;
  // The list may be an old one.
  const listed = await prompts.get(connection, connection.offers.announcesPrompts, signal);
  const missing = missingArguments(listed, given).map((name) => JSON.stringify(name));
  if (missing.length === 0) return;
  const needs = `The prompt ${JSON.stringify(given.name)} of server "${server}" needs ${missing.join(", ")}.`;
  throw new HostError("call_invalid", needs, { data: { executed: "no" } });
}

function missingArguments(
  listed: ServerListing<ServerPrompt> | null,
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, string>> },
): string[] {
  const prompt = listed?.entries.find((entry) => entry.name === name);
  const missing = prompt?.arguments.filter((one) => one.required && !Object.hasOwn(args, one.name)) ?? [];
  return missing.map((one) => one.name);
}

async function listing<Entry>(
  { server, connection }: ServerOffersSettings,
  list: OfferList<Entry>,
  offer: "resources" | "prompts",
  announced: "announcesResources" | "announcesPrompts",
  signal: AbortSignal,
): Promise<ServerListing<Entry>> {
  const none = { server, entries: [], leftOut: [] };
  try {
    const open = await connection(signal);
    return open.offers[offer] ? await list.get(open, open.offers[announced], signal) : none;
  } catch (thrown) {
    if (!(thrown instanceof HostError) || signal.aborted) throw thrown;
    return { ...none, error: { code: thrown.code, message: thrown.message } };
  }
}
