import { HostError } from "../../errors.ts";
import type { Agreement, ConfiguredServer, LoadedConfig } from "../../types/settings.ts";
import { didYouMean } from "../../util/closest.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { disabledText } from "../settings/merge.ts";
import { askAtTerminal, showServer } from "../settings/pending.ts";
import { trustCommand } from "../settings/server-lines.ts";
import { originText, targetText } from "../settings/written.ts";
import { loadSettings, noSuchServer, serverNamed } from "../settings.ts";
import { canAsk } from "../terminal/can-ask.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface TrustCommand {
  /** Absent: the pending servers and the agreements are listed. */
  readonly server?: string;
  /** Believe what the server says of its tools, too. */
  readonly annotations: boolean;
  /** Agree without a question. */
  readonly yes: boolean;
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** Shows what a project's server starts and takes the person's agreement; without a server lists what there is. */
export async function trustServer(
  command: TrustCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  if (command.server === undefined && (command.annotations || command.yes)) {
    throw new HostError("config_invalid", "Which server? drawbridge trust lists them.");
  }
  const library = await import("../../index.ts");
  const loaded = await loadSettings(command.flags, library, terminal);
  const agreements = library.openAgreements();
  if (command.server === undefined) return listAgreements(command, loaded, await agreements.list());
  const server = serverNamed(command.server, loaded);
  if (server === undefined) {
    const ids = loaded.servers.map(({ id }) => id);
    throw noSuchServer(command.server, loaded, didYouMean(command.server, ids));
  }
  if (server.origin.type !== "project") return ownServer(server, command, terminal);
  if (server.disabled) throw new HostError("config_invalid", disabledText(server));
  if (server.problem !== undefined) throw new HostError("config_invalid", server.problem);
  const before = (await agreements.list()).find(({ configHash }) => configHash === server.configHash);
  if (!server.pending && (before?.annotations === true || !command.annotations)) {
    return tell(
      command,
      server,
      before?.annotations === true,
      terminal,
      "Agreed already; nothing has changed.",
    );
  }
  await showServer(server, loaded, { terminal, interrupt, agreements });
  if (!(await isAgreed(server, command, terminal, interrupt))) {
    if (interrupt.exitCode() === undefined) terminal.line("Nothing was agreed to.");
    return interrupt.exitCode() ?? exitCodes.failed;
  }
  await agreements.agree(server, { annotations: command.annotations });
  return tell(command, server, command.annotations, terminal, "Agreed, as long as nothing of this changes.");
}

/** A person's own file says itself what is started and believed. */
function ownServer(server: ConfiguredServer, command: TrustCommand, terminal: Terminal): number {
  const place = originText(server.origin);
  if (!command.annotations) {
    const text = `Nothing to agree to: it is your own (${place}), and is started without a question.`;
    return tell(command, server, false, terminal, text);
  }
  throw new HostError(
    "config_invalid",
    `Server "${visibleLine(server.id)}" is your own: write "trust": true into it (${place}) to believe its annotations.`,
  );
}

async function isAgreed(
  server: ConfiguredServer,
  command: TrustCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<boolean> {
  if (command.annotations) {
    const text = "  ! Its annotations will be believed: what it calls read-only will run without a question.";
    terminal.line(terminal.paint("yellow", text));
  }
  if (command.yes) return true;
  if (!canAsk()) {
    const options = [...(command.annotations ? ["--annotations"] : []), "--yes"];
    const line = trustCommand(server.id, ...options);
    throw new HostError("config_invalid", `Nobody can be asked here. If you agree: ${line}`);
  }
  return (await askAtTerminal(terminal, interrupt)(server)) === true;
}

function tell(
  command: TrustCommand,
  server: ConfiguredServer,
  annotations: boolean,
  terminal: Terminal,
  text: string,
): number {
  const { id, configHash, origin } = server;
  if (command.json) {
    process.stdout.write(`${visibleLine(JSON.stringify({ server: id, configHash, origin, annotations }))}\n`);
  } else terminal.line(text);
  return exitCodes.answered;
}

function listAgreements(command: TrustCommand, loaded: LoadedConfig, agreed: readonly Agreement[]): number {
  const pending = loaded.servers.filter((server) => server.pending && !server.disabled);
  const lines = command.json
    ? [visibleLine(JSON.stringify({ pending: pending.map(pendingJson), agreements: agreed }))]
    : agreementLines(pending, agreed, paintFor(process.stdout));
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return exitCodes.answered;
}

function pendingJson({ id, origin, configHash, written }: ConfiguredServer): object {
  return { server: id, origin, configHash, target: targetText(written) };
}

/** The pending servers with the line to type, and what was agreed to, escaped. */
function agreementLines(
  pending: readonly ConfiguredServer[],
  agreed: readonly Agreement[],
  paint: Paint,
): string[] {
  const waiting = pending.flatMap((server) => [
    `  ${visibleLine(JSON.stringify(server.id))} ${paint("dim", originText(server.origin))}`,
    `    ${targetText(server.written)}`,
    `    to see all of it, and agree: ${trustCommand(server.id)}`,
  ]);
  const given = agreed.map(({ server, file, agreedAt, annotations }) => {
    const believed = annotations ? ", its annotations are believed" : "";
    return `  ${visibleLine(JSON.stringify(server))} ${paint("dim", `${visibleLine(file)}, ${visibleLine(agreedAt.slice(0, 10))}${believed}`)}`;
  });
  return [
    paint("bold", "Waiting for your agreement"),
    ...(waiting.length === 0 ? [paint("dim", "  none")] : waiting),
    paint("bold", "Agreed"),
    ...(given.length === 0 ? [paint("dim", "  none")] : given),
  ];
}
