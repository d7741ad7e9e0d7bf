import { HostError } from "../../errors.ts";
import type { Host } from "../../types/host.ts";
import type { ResourceContents, ResourceReading } from "../../types/resource.ts";
import { readableText } from "../../util/readable-text.ts";
import { visibleLine } from "../../util/visible.ts";
import { closeHost } from "../close.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { awaitServer, openOneServer } from "../one-server.ts";
import { resourceLines, templateLines } from "../show/offer-lines.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatBytes } from "../terminal/units.ts";

export interface ReadCommand {
  readonly server: string;
  /** Without one the resources are listed. */
  readonly uri?: string;
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** Prints one resource of a server, or what resources it has. */
export async function readResource(
  typed: ReadCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const { host, server } = await openOneServer(typed, terminal, interrupt);
  const command = { ...typed, server };
  try {
    await awaitServer(host, command, terminal, interrupt);
    terminal.waitFor(command.uri === undefined ? "its resources" : "the resource");
    const text =
      command.uri === undefined
        ? await listText(command, host, interrupt)
        : readingText(
            await host.readResource(command.server, command.uri, { signal: interrupt.signal }),
            command.json,
          );
    terminal.waitFor(null);
    process.stdout.write(text);
    return interrupt.exitCode() ?? exitCodes.answered;
  } finally {
    await closeHost(host, terminal);
  }
}

async function listText({ server, json }: ReadCommand, host: Host, { signal }: Interrupt): Promise<string> {
  const [[resources], [templates]] = await Promise.all([
    host.resources({ server, signal }),
    host.resourceTemplates({ server, signal }),
  ]);
  const failure = resources?.error ?? templates?.error;
  if (failure !== undefined) throw new HostError(failure.code, failure.message);
  if (resources === undefined || templates === undefined) return "";
  if (json) {
    const leftOut = [...resources.leftOut, ...templates.leftOut];
    const listed = { server, resources: resources.entries, templates: templates.entries, leftOut };
    return `${visibleLine(JSON.stringify(listed))}\n`;
  }
  const lines = [...resourceLines(resources), ...templateLines(templates)];
  return (lines.length === 0 ? ["No resources."] : lines).map((line) => `${line}\n`).join("");
}

/** The texts, escaped; what is no text is described. */
function readingText({ server, uri, contents, bytes }: ResourceReading, json: boolean): string {
  if (json) return `${visibleLine(JSON.stringify({ server, uri, contents, bytes }))}\n`;
  return contents
    .map(contentText)
    .map((text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`))
    .join("");
}

function contentText({ uri, mimeType = "bytes", text, blob }: ResourceContents): string {
  if (text !== undefined) return readableText(text);
  if (blob === undefined) return "";
  const size = formatBytes(Math.floor((blob.length * 3) / 4));
  return `[${visibleLine(uri)}: ${visibleLine(mimeType)}, ${size}; --json has it whole]`;
}
