import type { Connection, OpenContext } from "./connection.ts";
import { keepListening } from "./listening.ts";
import type { ToolListCache } from "./lists.ts";
import { openConnection } from "./open.ts";
import { untilAborted } from "./wait.ts";

/**
 * Opens a connection and reads its first tool list: a server is ready when its tools are known.
 * A child process is spawned before this returns. Rejects with a HostError of a `server_*` code.
 */
export async function bringUp(context: OpenContext, lists: ToolListCache): Promise<Connection> {
  const opened = await openConnection(context);
  let isReady = false;
  if (opened.era === "modern" && opened.announcesTools) {
    const stop = keepListening(opened.client, context.clock, () => {
      // While the first list is being read, it was asked for after the subscription, and is not older.
      if (isReady) context.onToolsChanged();
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
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw failures.make("server_list_failed", `its tools could not be listed: ${why}`, facts, thrown);
  }
  isReady = true;
  opened.confirm();
  return opened;
}
