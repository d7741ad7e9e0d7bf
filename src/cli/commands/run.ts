import type { HostOptions } from "../../types/config.ts";
import type { RunEvent, RunResult } from "../../types/events.ts";
import { visibleLine, visibleText } from "../../util/visible.ts";
import { createTerminalApprover } from "../approve.ts";
import { closeHost } from "../close.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { allowRules, serverConfigs, trustedIds } from "../servers.ts";
import { createEventRenderer } from "../show/render-events.ts";
import { summaryLines } from "../show/summary.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count } from "../terminal/units.ts";

export interface RunCommand {
  readonly question: string;
  /** What goes to standard output. */
  readonly output: "text" | "json" | "stream-json";
  /** The file that gets the whole conversation. */
  readonly transcript?: string;
  /** A conversation's id, or `newest`. */
  readonly continue?: string;
  readonly flags: HostFlags;
}

/** Asks the question and prints what happens; the answer, and nothing else, goes to standard output. */
export async function runQuestion(
  command: RunCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const library = await import("../../index.ts");
  const servers = serverConfigs(command.flags.servers, library);
  const ids = Object.keys(servers);
  const canAsk = process.stdin.isTTY && process.stderr.isTTY;
  const options: HostOptions = {
    servers,
    policy: { rules: allowRules(command.flags.allow, ids), trust: trustedIds(command.flags.trust, ids) },
    ...(command.flags.model === undefined ? {} : { model: command.flags.model }),
    ...(canAsk
      ? {
          approve: createTerminalApprover({
            terminal,
            input: process.stdin,
            output: process.stderr,
            renderQuestion: library.renderQuestion,
            interrupt: interrupt.interrupt,
          }),
        }
      : {}),
  };
  const host = library.createHost(options);
  try {
    if (ids.length === 0)
      terminal.line(terminal.paint("dim", "  no servers: the model has no tools (--server adds one)"));
    const run = host.run(command.question, {
      signal: interrupt.signal,
      ...(command.flags.maxTurns === undefined ? {} : { maxTurns: command.flags.maxTurns }),
    });
    const missingRules = await follow(run, terminal);
    const result = await run.result;
    printResult(result, command.output === "json");
    for (const line of endLines(result, missingRules, host.auditLocation, terminal)) terminal.line(line);
    return interrupt.exitCode() ?? exitCodeOf(result);
  } finally {
    await closeHost(host, terminal);
  }
}

/** Prints every event as it happens; gives back the rules that would allow what nobody could be asked about. */
async function follow(events: AsyncIterable<RunEvent>, terminal: Terminal): Promise<readonly string[]> {
  const renderer = createEventRenderer(terminal.paint);
  for await (const event of events) {
    for (const line of renderer.lines(event)) terminal.line(line);
    const wait = renderer.waitAfter(event);
    if (wait !== undefined) terminal.waitFor(wait.what, wait.detail);
  }
  terminal.waitFor(null);
  return renderer.missingRules();
}

function printResult(result: RunResult, json: boolean): void {
  // Escapes of JSON and of `visibleLine` are the same, so that the document keeps its value and cannot steer a terminal.
  if (json) process.stdout.write(`${visibleLine(JSON.stringify(result))}\n`);
  else if (result.text !== "") process.stdout.write(`${visibleText(result.text)}\n`);
}

function endLines(
  result: RunResult,
  missingRules: readonly string[],
  auditLocation: string | null,
  { paint }: Terminal,
): string[] {
  const lines = summaryLines(result, paint);
  if (result.unasked > 0) {
    const allow = missingRules.map((rule) => ` --allow ${shellWord(rule)}`).join("");
    const advice = allow === "" ? "" : ` To allow:${allow}`;
    lines.push(
      paint("yellow", `Denied because nobody could be asked: ${count(result.unasked, "call")}.${advice}`),
    );
  }
  if (auditLocation) lines.push(paint("dim", `Audit log: ${visibleLine(auditLocation)}`));
  return lines;
}

/** A text as one word of a POSIX shell, escaped for the screen: what the model chose must not be expanded when pasted. */
function shellWord(text: string): string {
  return `'${visibleLine(text).replaceAll("'", "'\\''")}'`;
}
