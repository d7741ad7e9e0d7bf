import { createHmac } from "node:crypto";
import { createRecorder } from "../audit/recorder.ts";
import { createBudget } from "../budget/budget.ts";
import { costOf, priceOf } from "../budget/cost.ts";
import type { ConversationCatalog } from "../catalog/catalog.ts";
import { createToolSearch, isToolSearch } from "../catalog/tool-search.ts";
import { HostError } from "../errors.ts";
import { createExecutor } from "../execution/executor.ts";
import type { ContextWindow } from "../types/context.ts";
import type { Journal } from "../types/journal.ts";
import type { Model } from "../types/model.ts";
import type { CallServer, LoopPorts, Transcript } from "../types/ports.ts";
import type { CatalogTool } from "../types/tool.ts";
import { answererOf } from "./answer-servers.ts";
import { unlimitedContext } from "./context-window.ts";
import type { HostParts } from "./parts.ts";

interface RunPortsSettings {
  readonly catalog: ConversationCatalog;
  readonly transcript: Transcript;
  /** Where the run is recorded so that it can be continued. Default: nowhere. */
  readonly journal?: Journal | null;
  /** Most turns of the run. */
  readonly turns: number;
  /** Turns of the conversation before this run. Default: none. */
  readonly earlierTurns?: number;
  /** Keeps the transcript within the model's window. Default: nothing does. */
  readonly context?: ContextWindow;
}

/** What one run is made of. Rejects with `store_failed` when the key of the records cannot be read. */
export async function runPorts(
  parts: HostParts,
  {
    catalog,
    transcript,
    journal = null,
    turns,
    earlierTurns = 0,
    context = unlimitedContext,
  }: RunPortsSettings,
): Promise<LoopPorts> {
  const { clock, limits, secrets, principal, audit, model, resolver, consent, results } = parts;
  const [key] = await Promise.all([parts.stores.hashKey(), parts.openGrants()]);
  // Node's own, because it is asked for with every call.
  const keyedHash = (text: string) => createHmac("sha256", key).update(text).digest("hex");
  const recorder = createRecorder({
    ...{ audit, journal, secrets, keyedHash, principal, clock, earlierTurns },
    arguments: parts.auditArguments,
    labelsOf: parts.labelsOf,
  });
  const { recheck } = consent;
  const searched = () => searchedTools(model, catalog, transcript);
  const search = createToolSearch(searched, limits);
  const call: CallServer = (sent) => (isToolSearch(sent.route) ? search(sent) : parts.call(sent));
  const { serverLimiter, timeoutOf } = parts;
  const answering = [model, ...(model.fallbacks ?? [])];
  const unpriced = answering.find((one) => priceOf(one, parts.prices) === null);
  if (unpriced !== undefined && limits.cost > 0) throw unknownPrice(unpriced);
  const budget = createBudget({ ...limits, turns }, clock, (usage, answeredBy) => {
    const { api, model: name } = answeredBy ?? { api: model.api, model: model.name };
    const { capabilities } = answering.find((one) => one.api === api && one.name === name) ?? model;
    const price = priceOf({ api, name, capabilities }, parts.prices);
    return price === null ? null : costOf(usage, price);
  });
  const answerer = answererOf(parts, recorder, budget);
  const executor = createExecutor({
    ...{ limits, clock, call, recheck, recorder, serverLimiter, timeoutOf },
    ...(answerer === undefined ? {} : { answerer }),
  });
  return { model, catalog, resolver, consent, executor, results, transcript, budget, context, recorder };
}

/** What a model's search for tools goes through: those that it is not offered, or all, where another model asks for it. */
function searchedTools(
  model: Model,
  catalog: ConversationCatalog,
  transcript: Transcript,
): readonly CatalogTool[] {
  const snapshot = catalog.latest();
  if (snapshot === null) return [];
  return model.behindSearch?.(snapshot, transcript.messages)?.tools ?? snapshot.tools;
}

function unknownPrice({ api, name }: Model): HostError {
  return new HostError(
    "config_invalid",
    `What the model ${api}/${name} costs is not known, so the cost limit cannot be kept: give its price (\`prices\`), or limit its tokens instead.`,
  );
}
