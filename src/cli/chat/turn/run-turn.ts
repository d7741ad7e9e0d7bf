import type { RunEvent, RunResult } from "../../../types/events.ts";
import type { Run } from "../../../types/host.ts";
import type { Clock } from "../../../types/ports.ts";
import { isCtrl } from "../../terminal/key.ts";
import type { Keyboard } from "../../terminal/keyboard.ts";
import type { Paint } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { createTurnView, type Told } from "./turn-view.ts";

/** How often the lines of what runs are written anew, in ms. */
const tickMs = 250;

export interface TurnParts {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly clock: Clock;
  readonly paint: Paint;
  readonly told: Told;
  /** Keeps the rewritable lines away while a question has the screen. */
  readonly isAsking: () => boolean;
  readonly onEvent: (event: RunEvent) => void;
  /** Of the run. */
  readonly signal: AbortSignal;
  /** Ctrl-C for the first time: ends the run. */
  readonly stop: () => void;
  /** Ctrl-C for the second time, or the terminal went away. */
  readonly leave: () => void;
}

export interface FollowedTurn {
  readonly result: RunResult;
  readonly thinking: string;
}

/** Shows one run as it happens, until its end. */
export async function followTurn(run: Run, parts: TurnParts): Promise<FollowedTurn> {
  const { screen, clock, keyboard } = parts;
  const view = createTurnView(parts.paint, parts.told);
  let shown = "";
  let cancelTick = (): void => {};

  function refresh(): void {
    if (parts.isAsking()) {
      shown = "";
      return;
    }
    const rows = view.running(clock.now(), screen.columns() - 1);
    const all = parts.signal.aborted
      ? [...rows, parts.paint("yellow", "stopping … (Ctrl-C again: leave)")]
      : rows;
    const text = all.join("\n");
    if (text !== shown) screen.area(all);
    shown = text;
  }

  function tick(): void {
    refresh();
    cancelTick = clock.after(tickMs, tick);
  }

  const stopListening = keyboard.listen((input) => {
    if (input.type !== "end" && !isCtrl(input, "c")) keyboard.keep(input);
    else if (input.type === "end" || parts.signal.aborted) parts.leave();
    else {
      parts.stop();
      refresh();
    }
  });
  tick();
  try {
    for await (const event of run) {
      parts.onEvent(event);
      for (const piece of view.show(event, clock.now(), screen.columns() - 1)) {
        if (piece.type === "line") screen.marked(piece.text);
        else screen.stream(piece.text);
      }
      // Progress may come much faster than anybody reads: the tick shows it.
      if (event.type !== "call_progress") refresh();
    }
  } finally {
    cancelTick();
    stopListening();
    screen.endStream();
    screen.area([]);
  }
  return { result: await run.result, thinking: view.thinking() };
}
