import { toHostError } from "../errors.ts";
import { visibleLine } from "../util/visible.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Servers get a few seconds to end before they are killed; beyond this the command leaves anyway. */
const closeLimitMs = 15_000;

/** What is closed, and what nobody was told of it so far. */
interface Closing {
  close(): Promise<void>;
  readonly notices?: readonly string[];
}

/** Closes the host and says so when that fails or takes too long; never throws. */
export async function closeHost(host: Closing, terminal: Terminal): Promise<void> {
  terminal.waitFor("the servers to stop");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, closeLimitMs, "the servers did not stop in time");
  });
  const closed = host.close().then(
    () => null,
    (thrown: unknown) => toHostError(thrown).message,
  );
  const problem = await Promise.race([closed, late]);
  clearTimeout(timer);
  terminal.waitFor(null);
  for (const notice of host.notices ?? [])
    terminal.line(terminal.paint("yellow", `! ${visibleLine(notice)}`));
  if (problem !== null) terminal.line(terminal.paint("yellow", `! closing: ${visibleLine(problem)}`));
}
