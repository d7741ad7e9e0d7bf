import type { RunEvent } from "../../types/events.ts";
import { visibleLine } from "../../util/visible.ts";
import type { Paint } from "../terminal/paint.ts";
import { count } from "../terminal/units.ts";

const told: readonly string[] = ["warning", "error", "critical", "alert", "emergency"];

/** Lines of what servers ask and say, escaped; the questions themselves are shown where they are asked. */
export function askedLines(event: RunEvent, paint: Paint): readonly string[] {
  switch (event.type) {
    case "server_log": {
      if (!told.includes(event.level)) return [];
      const logger = event.logger === undefined ? "" : ` (${visibleLine(event.logger)})`;
      return [
        paint("dim", `  ${visibleLine(event.server)}${logger} ${event.level}: ${visibleLine(event.text)}`),
      ];
    }
    case "sampling_requested":
      return [
        paint("dim", `  ${visibleLine(event.server)} asks the model (${count(event.messages, "message")})`),
      ];
    case "sampling_answered": {
      if (event.outcome === "answered") return [];
      const reason = event.reason === undefined ? "" : `: ${visibleLine(event.reason)}`;
      return [
        paint(
          "yellow",
          `! ${visibleLine(event.server)} got no answer of the model, ${event.outcome}${reason}`,
        ),
      ];
    }
    default:
      return [];
  }
}
