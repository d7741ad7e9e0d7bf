import { didYouMean } from "../../util/closest.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { loadSettings, noSuchServer, serverNamed } from "../settings.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface UntrustCommand {
  readonly server: string;
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** Takes back every agreement with a server: it is pending again. */
export async function untrustServer(command: UntrustCommand, terminal: Terminal): Promise<number> {
  const library = await import("../../index.ts");
  const agreements = library.openAgreements();
  const agreed = (await agreements.list()).map(({ server }) => server);
  const shown = agreed.find((id) => visibleLine(id) === command.server);
  const withdrawn = await agreements.withdraw(
    agreed.includes(command.server) ? command.server : (shown ?? command.server),
  );
  if (withdrawn === 0) await refuseUnknown(command, library, agreed);
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
  agreed: readonly string[],
): Promise<void> {
  const loaded = await loadSettings(flags, library, null);
  if (serverNamed(server, loaded) !== undefined) return;
  throw noSuchServer(server, loaded, didYouMean(server, [...agreed, ...loaded.servers.map(({ id }) => id)]));
}
