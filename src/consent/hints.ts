import type { CallFacts } from "../types/policy.ts";

/**
 * What a tool's annotations may mean here (MCP `ToolAnnotations`). A server that the operator does not trust can only
 * say that its tools are worse than assumed; read-only together with destructive counts as destructive.
 */
export interface Hints {
  readonly destructive: boolean;
  readonly readOnly: boolean;
  readonly reachesOutside: "yes" | "unknown" | "no";
}

export function readHints(tool: Pick<CallFacts, "trusted" | "annotations">): Hints {
  const { readOnlyHint, destructiveHint, openWorldHint } = tool.annotations;
  const destructive = destructiveHint === true;
  const closed = tool.trusted && openWorldHint === false;
  return {
    destructive,
    readOnly: tool.trusted && readOnlyHint === true && !destructive,
    reachesOutside: openWorldHint === true ? "yes" : closed ? "no" : "unknown",
  };
}

/**
 * Whether a call may carry what the conversation has read to somebody else. It does not where all private content came
 * from its own server: there it is known already. A server that says that it reaches outside is always believed.
 */
export function reachesOthers({ route, reads }: Pick<CallFacts, "route" | "reads">, hints: Hints): boolean {
  if (hints.reachesOutside !== "unknown") return hints.reachesOutside === "yes";
  const from = reads.private ? reads.privateFrom : undefined;
  return from === undefined || from.length === 0 || from.some((server) => server !== route.server);
}

/** Sentences that the person should read with a call. */
export function hintWarnings(hints: Hints, asked: boolean): string[] {
  const warnings: string[] = [];
  if (hints.destructive) warnings.push("Its server says that it may destroy or overwrite something.");
  if (hints.reachesOutside === "yes") warnings.push("Its server says that it reaches outside.");
  if (hints.reachesOutside === "unknown" && asked) {
    warnings.push("It may reach outside: nothing trusted says otherwise.");
  }
  return warnings;
}
