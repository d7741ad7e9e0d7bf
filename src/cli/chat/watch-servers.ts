import { toHostError } from "../../errors.ts";
import type { Clock } from "../../types/ports.ts";
import { visibleLine } from "../../util/visible.ts";
import { warningLines } from "../show/drift-lines.ts";
import { serverLine } from "../show/render-events.ts";
import type { Paint } from "../terminal/paint.ts";
import type { Screen } from "../terminal/screen.ts";
import { serversLines } from "./first-screen.ts";
import type { Session } from "./session.ts";
import type { Told } from "./turn/turn-view.ts";

/** Servers that are ready within this time are shown so on the first screen; the prompt does not wait longer. */
const patienceMs = 1_500;

export interface WatchParts {
  readonly session: Session;
  readonly screen: Screen;
  readonly paint: Paint;
  readonly told: Told;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Shows the servers once they are ready, or after a short while as they are then, and the others when they are. */
export async function watchServers(parts: WatchParts): Promise<void> {
  const { session, clock, screen, paint } = parts;
  const reading = readTools(parts);
  let cancel = (): void => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(patienceMs, resolve);
  });
  await Promise.race([reading, late]);
  cancel();
  for (const line of serversLines(session.host.status(), session.waiting, paint)) screen.marked(line);
  noteStates(parts);
  reading.then(() => showNews(parts)).catch(() => {});
}

/** Reads the tools, also for completion. What goes wrong is shown, and each message tries again. */
async function readTools({ session, screen, paint, signal }: WatchParts): Promise<void> {
  try {
    session.tools = await session.host.tools({ signal });
    for (const { server, tool, reason } of session.tools.quarantined) {
      const name = `${visibleLine(server)}/${visibleLine(tool)}`;
      screen.marked(paint("yellow", `! ${name} is kept from the model: ${visibleLine(reason)}`));
    }
    for (const text of warningLines(session.tools)) screen.marked(paint("yellow", `! ${text}`));
  } catch (thrown) {
    if (!signal.aborted) screen.marked(paint("red", visibleLine(toHostError(thrown).message)));
  }
}

function noteStates({ session, told }: WatchParts): void {
  for (const { server, state } of session.host.status()) told.servers.set(server, state);
}

/** The servers whose state is another one than the person knows. */
function showNews({ session, screen, paint, told, signal }: WatchParts): void {
  if (signal.aborted) return;
  for (const status of session.host.status()) {
    if (told.servers.get(status.server) === status.state) continue;
    told.servers.set(status.server, status.state);
    const line = serverLine(status, paint);
    if (line !== undefined) screen.marked(line);
  }
}
