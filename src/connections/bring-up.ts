import type { Connection, OpenContext } from "./connection.ts";
import { httpAnswer } from "./failure.ts";
import type { KnownTools } from "./known-tools.ts";
import { type ChangeFilter, keepListening } from "./listening.ts";
import type { ToolListCache } from "./lists.ts";
import { openConnection } from "./open.ts";
import { inOwnWords } from "./sdk-words.ts";
import { untilAborted } from "./wait.ts";

/**
 * Opens a connection and reads its first tool list: a server is ready when its tools are known. Where the answer to
 * `server/discover` is remembered (`recall`), it is not asked for again unless the list cannot be read that way.
 * A child process is spawned before this returns. Rejects with a HostError of a `server_*` code.
 */
export async function bringUp(
  context: OpenContext,
  lists: ToolListCache,
  recall: () => Promise<KnownTools | null> = async () => null,
): Promise<Connection> {
  // A process is asked for its era with every start: that costs it nothing, and a wrong guess would go unnoticed.
  if (!("url" in context.config)) return openAndList(context, lists);
  const discovery = (await recall())?.discover;
  if (discovery === undefined) return openAndList(context, lists);
  try {
    return await openAndList({ ...context, discovery }, lists);
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    return openAndList(context, lists);
  }
}

async function openAndList(context: OpenContext, lists: ToolListCache): Promise<Connection> {
  const opened = await openConnection(context);
  let isReady = false;
  const filter = changeFilter(opened);
  if (opened.era === "modern" && filter !== null) {
    const stop = keepListening(opened.client, filter, context.clock, () => {
      // While the first list is being read, it was asked for after the subscription, and is not older.
      if (!isReady) return;
      if (opened.announcesTools) context.onToolsChanged();
      context.onOffersChanged();
    });
    void opened.ended.then(stop);
  }
  try {
    await untilAborted(lists.read(opened), context.signal);
  } catch (thrown) {
    const facts = opened.facts();
    await opened.close();
    const { failures } = context;
    if (facts?.exit)
      throw failures.make("server_exited", "it ended while its tools were listed", facts, thrown);
    const why = httpAnswer(thrown) ?? inOwnWords(thrown);
    throw failures.make("server_list_failed", `its tools could not be listed: ${why}`, facts, thrown);
  }
  isReady = true;
  opened.confirm();
  return opened;
}

/** What to listen for; null when the server announces nothing. */
function changeFilter({ announcesTools, offers }: Connection): ChangeFilter | null {
  const filter: ChangeFilter = {
    ...(announcesTools ? { toolsListChanged: true } : {}),
    ...(offers.announcesResources ? { resourcesListChanged: true } : {}),
    ...(offers.announcesPrompts ? { promptsListChanged: true } : {}),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}
