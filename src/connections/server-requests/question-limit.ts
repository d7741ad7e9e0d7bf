import type { Clock } from "../../types/ports.ts";

/** Nobody reads more questions than these, and whoever is flooded with them says yes to be rid of them. */
const mostPerMinute = 10;
const minuteMs = 60_000;

/** Counts the questions of one server through all its connections: true when one more may be asked, and counts it. */
export function createQuestionLimit(clock: Clock): () => boolean {
  let asked: number[] = [];
  return () => {
    const now = clock.now();
    asked = asked.filter((at) => now - at < minuteMs);
    if (asked.length >= mostPerMinute) return false;
    asked.push(now);
    return true;
  };
}
