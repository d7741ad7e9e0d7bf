import type { ServerLog } from "../../types/events.ts";
import type { Clock } from "../../types/ports.ts";
import { oneLine } from "../../util/one-line.ts";
import { isObject, own } from "../../util/own.ts";
import { summarise } from "../summarise.ts";

const levels = ["info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
const mostPerMinute = 60;
const minuteMs = 60_000;
const longestText = 2_000;
const longestLogger = 100;

/**
 * Passes on what a server logs (MCP `notifications/message`), from level info up, bounded in size and number; what is
 * over the number is counted and told with the next minute's first message.
 */
export function createLogMessages(
  server: string,
  clock: Clock,
  redact: (text: string) => string,
  onLog: (log: ServerLog) => void,
): (params: unknown) => void {
  let since = Number.NEGATIVE_INFINITY;
  let told = 0;
  let dropped = 0;
  return (params) => {
    if (!isObject(params)) return;
    const level = levels.find((known) => known === own(params, "level"));
    if (level === undefined) return;
    if (clock.now() - since >= minuteMs) {
      if (dropped > 0) {
        const text = `${dropped} more log messages within a minute were left out.`;
        onLog({ server, level: "notice", text });
      }
      since = clock.now();
      told = 0;
      dropped = 0;
    }
    if (told >= mostPerMinute) {
      dropped += 1;
      return;
    }
    told += 1;
    const logger = own(params, "logger");
    const said = own(params, "data");
    // Redacted before it is cut: half a secret would not be recognised.
    const text = redact(summarise(said ?? "", Number.POSITIVE_INFINITY));
    onLog({
      server,
      level,
      ...(typeof logger === "string" ? { logger: oneLine(redact(logger), longestLogger) } : {}),
      text: oneLine(text, longestText),
    });
  };
}
