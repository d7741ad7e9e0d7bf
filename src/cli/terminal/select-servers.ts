import type { FoundServer } from "../../types/found-servers.ts";
import { oneLine } from "../../util/one-line.ts";
import { visibleLine } from "../../util/visible.ts";
import { isOfProject } from "../found-of-project.ts";
import type { Interrupt } from "./interrupt.ts";
import type { Terminal } from "./terminal.ts";

/** Longest text of an option, so that one takes a line. */
const labelLength = 60;

/** Lets the person mark servers; none are marked at first. Null when the choice was left with Ctrl-C. */
export async function selectServers(
  servers: readonly FoundServer[],
  message: string,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<readonly FoundServer[] | null> {
  const prompts = await import("@clack/prompts");
  terminal.hold();
  try {
    const chosen = await prompts.multiselect<FoundServer>({
      message,
      options: servers.map((server) => ({
        value: server,
        label: visibleLine(oneLine(server.id, labelLength)),
        hint: hintOf(server),
      })),
      required: false,
      input: process.stdin,
      output: process.stderr,
      signal: interrupt.signal,
    });
    return prompts.isCancel(chosen) ? null : chosen;
  } finally {
    terminal.release();
  }
}

function hintOf(server: FoundServer): string {
  const host = server.sources[0]?.host ?? "";
  return isOfProject(server) ? `${host}, from a file of this project` : host;
}
