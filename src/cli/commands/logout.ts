import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { loginServer } from "../settings/login-server.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface LogoutCommand {
  /** Absent: every login. */
  readonly server?: string;
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** Forgets logins, and has them taken back where that is possible. */
export async function logOutOfServer(command: LogoutCommand, terminal: Terminal): Promise<number> {
  const library = await import("../../index.ts");
  let report: Awaited<ReturnType<typeof library.logOutEverywhere>>;
  if (command.server === undefined) report = await library.logOutEverywhere();
  else {
    const { id, config } = await loginServer(command.server, command.flags, terminal);
    report = await library.logOut(id, config);
  }
  const { forgotten, revoked } = report;
  if (command.json) process.stdout.write(`${visibleLine(JSON.stringify(report))}\n`);
  else if (forgotten === 0) terminal.line("There was no login.");
  else {
    const what = forgotten === 1 ? "The login is forgotten" : `${forgotten} logins are forgotten`;
    const taken =
      revoked === forgotten
        ? "and its tokens were taken back"
        : "and its tokens end at the authorization server by themselves, which was not able to take them back";
    terminal.line(`${what}, ${taken}.`);
  }
  return exitCodes.answered;
}
