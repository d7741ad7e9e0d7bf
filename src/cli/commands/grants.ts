import type { ArgumentCondition, GrantList, StoredGrant } from "../../index.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count } from "../terminal/units.ts";

export interface GrantsCommand {
  readonly json: boolean;
}

export interface GrantsRevokeCommand {
  /** An id, a server or `server/tool`; null: all. */
  readonly target: string | null;
  readonly json: boolean;
}

/** Prints what this account has allowed for good. */
export async function showGrants({ json }: GrantsCommand): Promise<number> {
  const { listGrants, describeConditions } = await import("../../index.ts");
  const list = await listGrants();
  const lines = json ? [visibleLine(JSON.stringify(list))] : grantLines(list, describeConditions);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return exitCodes.answered;
}

/** One grant a line: id, server and tool, day, the rule that it answers, and what it asks of the arguments. */
export function grantLines(
  { grants, unreadable }: GrantList,
  describe: (conditions: readonly ArgumentCondition[]) => string,
): string[] {
  const width = Math.max(0, ...grants.map((grant) => routeOf(grant).length));
  const lines = grants.map((grant) => {
    const rule = grant.rule === "" ? "" : `  (rule: ${visibleLine(grant.rule)})`;
    const when = grant.conditions === undefined ? "" : `  when ${describe(grant.conditions)}`;
    return `${grant.id}  ${routeOf(grant).padEnd(width)}  ${visibleLine(grant.at.slice(0, 10))}${rule}${when}`;
  });
  const damaged = unreadable.map((id) => `${visibleLine(id)}  not readable, so it allows nothing`);
  return lines.length + damaged.length === 0 ? ["Nothing is allowed for good."] : [...lines, ...damaged];
}

function routeOf({ server, tool }: StoredGrant): string {
  return visibleLine(`${server}/${tool}`);
}

/** Takes grants back: hosts that run are bound to it with their next call. */
export async function revoke({ target, json }: GrantsRevokeCommand, terminal: Terminal): Promise<number> {
  const { listGrants, revokeGrants } = await import("../../index.ts");
  const ids = target === null ? null : idsOf(await listGrants(), target);
  const { revoked } = await revokeGrants(ids === null ? { all: true } : { ids });
  if (json) process.stdout.write(`${JSON.stringify({ revoked })}\n`);
  else process.stdout.write(`Took back ${count(revoked.length, "grant")}.\n`);
  if (target === null || revoked.length > 0) return exitCodes.answered;
  terminal.line(
    terminal.paint(
      "red",
      `✗ No grant has the id, server or tool ${visibleLine(target)}: see drawbridge grants list.`,
    ),
  );
  return exitCodes.failed;
}

/** Names of servers and tools may hold any characters, so that the whole text is compared. */
function idsOf({ grants, unreadable }: GrantList, target: string): string[] {
  const found = grants.filter(
    ({ id, server, tool }) => id === target || server === target || `${server}/${tool}` === target,
  );
  return [...found.map(({ id }) => id), ...unreadable.filter((id) => id === target)];
}
