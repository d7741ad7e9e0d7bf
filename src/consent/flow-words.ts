import type { ReadSource, RunReads } from "../types/policy.ts";
import { oneLine } from "../util/one-line.ts";

/** The flow that is asked about by default, as decisions name it. */
export const tripleFlow = "private+untrusted→open-world";

/** A question is read by a person: more results than these say nothing more. */
const mostNamed = 3;
const mostChars = 60;

/** Why a call is asked that may carry private content outside, with the results that brought it in. */
export function flowReason({ sources = [] }: RunReads): string {
  const read = `private: ${namesOf("private", sources)}; untrusted: ${namesOf("untrusted", sources)}`;
  return `The conversation has read private and untrusted content, and the call may carry it outside (${read}).`;
}

function namesOf(label: ReadSource["label"], sources: readonly ReadSource[]): string {
  const found = sources.filter((source) => source.label === label);
  if (found.length === 0) return "not known which";
  const names = found.slice(0, mostNamed).map(({ server, tool, turn }) => {
    const when = turn === null ? "an earlier run" : turn === 0 ? "with the question" : `turn ${turn}`;
    return `${oneLine(server, mostChars)}/${oneLine(tool, mostChars)} (${when})`;
  });
  const more = found.length - names.length;
  return `${names.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}
