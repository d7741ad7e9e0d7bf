import type { Elicitor } from "../types/elicitation.ts";
import { systemClock } from "../util/clock.ts";
import { type ApproverParts, onOwnScreen, type Queue } from "./approve.ts";
import { askElicitation } from "./elicit-ask.ts";

export interface ElicitorParts extends Omit<ApproverParts, "renderQuestion" | "describeConditions"> {
  readonly checkElicitation: typeof import("../index.ts").checkElicitation;
}

/** Asks the person at the terminal for servers, on standard error, in turn with every other question. */
export function createTerminalElicitor(parts: ElicitorParts, inTurn: Queue): Elicitor {
  const { terminal, interrupt, checkElicitation } = parts;
  const { paint } = terminal;
  return async (request) => {
    const { signal } = request;
    const asked = await inTurn(signal, () =>
      onOwnScreen(parts, ({ screen, keyboard }) =>
        askElicitation(
          request,
          { screen, keyboard, clock: systemClock, paint, signal, interrupt },
          checkElicitation,
        ),
      ),
    );
    return asked ?? { action: "cancel" };
  };
}
