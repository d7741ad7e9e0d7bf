import type { Agreements } from "../../types/settings.ts";
import { didYouMean } from "../../util/closest.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { loadSettings, noSuchServer } from "../settings.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface UntrustCommand {
  readonly server: string;
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** Takes back every agreement with a server: it is pending again. */
export async function untrustServer(command: UntrustCommand, terminal: Terminal): Promise<number> {
  const library = await import("../../index.ts");
  const agreements: Agreements = library.openAgreements();
  const withdrawn = await agreements.withdraw(command.server);
  if (withdrawn === 0) await refuseUnknown(command, library, agreements);
  const name = visibleLine(JSON.stringify(command.server));
  if (command.json) {
    process.stdout.write(`${visibleLine(JSON.stringify({ server: command.server, withdrawn }))}\n`);
  } else if (withdrawn === 0) terminal.line(`There was no agreement with ${name}.`);
  else terminal.line(`Taken back. ${name} is asked about again before it is started.`);
  return exitCodes.answered;
}

/** A name that is nowhere is a slip, and not an agreement that was taken back before. */
async function refuseUnknown(
  { server, flags }: UntrustCommand,
  library: typeof import("../../index.ts"),
  agreements: Agreements,
): Promise<void> {
  const loaded = await loadSettings(flags, library, null);
  if (loaded.servers.some(({ id }) => id === server)) return;
  const agreed = (await agreements.list()).map((agreement) => agreement.server);
  throw noSuchServer(server, loaded, didYouMean(server, [...agreed, ...loaded.servers.map(({ id }) => id)]));
}
