import type { HostOptions } from "../../types/config.ts";
import type { RunResult } from "../../types/events.ts";
import type { Conversation, Host, RunInput } from "../../types/host.ts";
import type { RunReads } from "../../types/policy.ts";
import { readableText } from "../../util/readable-text.ts";
import { visibleLine } from "../../util/visible.ts";
import { createQueue, createTerminalApprover } from "../approve.ts";
import { closeHost } from "../close.ts";
import { conversationToContinue, openConversation } from "../continued.ts";
import { createTerminalElicitor } from "../elicit.ts";
import { exitCodeOf, readerGone } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { resourceReferences, withResources } from "../resource-mention.ts";
import { openSettings } from "../settings.ts";
import { allowAdvice } from "../show/allow-advice.ts";
import { type Followed, followRun } from "../show/follow-run.ts";
import { createStreamText } from "../show/stream-text.ts";
import { summaryLines } from "../show/summary.ts";
import { canAsk } from "../terminal/can-ask.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import { createJsonLines } from "../terminal/output-lines.ts";
import { paintFor } from "../terminal/paint.ts";
import { openPerson, type Person } from "../terminal/person.ts";
import { mostPipedBytes, type PipedInput, pipedSource, readPipedInput } from "../terminal/piped-input.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { count, formatBytes } from "../terminal/units.ts";
import { createWordWrap } from "../terminal/wrap-words.ts";
import { checkTranscriptPath, writeTranscript } from "../transcript-file.ts";

export interface RunCommand {
  readonly question: string;
  /** `SERVER:URI`, read and given to the model behind the question. */
  readonly resources: readonly string[];
  /** What the question, and what is piped in, is. */
  readonly reads: Pick<RunReads, "untrusted" | "private">;
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
  if (command.transcript !== undefined) await checkTranscriptPath(command.transcript);
  const piped = readInput(terminal, interrupt);
  // It is waited for below, unless something else ends the command first.
  piped.catch(() => {});
  const { options } = await openSettings(command.flags, { terminal, interrupt, canAsk: canAsk() });
  const references = resourceReferences(command.resources, Object.keys(options.servers));
  const id = await conversationToContinue(command.continue, terminal);
  const person = openPerson();
  const host = await openHost(options, person, terminal, interrupt);
  try {
    if (Object.keys(options.servers).length === 0)
      terminal.line(terminal.paint("dim", "  no servers: the model has no tools (--server adds one)"));
    const conversation = await openConversation(host, id);
    const asked = runInput(command.question, await awaited(piped, terminal), terminal);
    const input = await withResources(asked, references, { host, terminal, signal: interrupt.signal });
    return await perform({ command, input, host, conversation, terminal, interrupt });
  } finally {
    await closeHost(host, terminal);
    person?.close();
  }
}

async function openHost(
  options: Omit<HostOptions, "approve">,
  person: Person | null,
  terminal: Terminal,
  { interrupt }: Interrupt,
): Promise<Host> {
  const { createHost, renderQuestion, describeConditions, checkElicitation } = await import("../../index.ts");
  if (person === null) return createHost(options);
  const { input } = person;
  const { stderr: output } = process;
  const screen = { terminal, input, output, interrupt };
  const inTurn = createQueue();
  return createHost({
    ...options,
    approve: createTerminalApprover({ ...screen, renderQuestion, describeConditions }, inTurn),
    elicit: createTerminalElicitor({ ...screen, checkElicitation }, inTurn),
  });
}

function readInput(terminal: Terminal, { signal }: Interrupt): Promise<PipedInput | null> {
  return readPipedInput(() => process.stdin, {
    source: pipedSource(),
    signal,
    onNothing(ms) {
      const wait = `nothing came on standard input within ${ms / 1000} s: it is left out`;
      terminal.line(terminal.paint("yellow", `! ${wait} (< /dev/null passes none)`));
    },
  });
}

async function awaited<T>(piped: Promise<T>, terminal: Terminal): Promise<T> {
  terminal.waitFor("standard input");
  const read = await piped;
  terminal.waitFor(null);
  return read;
}

/** The question, and behind it what was piped in. */
function runInput(question: string, piped: PipedInput | null, terminal: Terminal): RunInput {
  if (piped === null) return question;
  const size = formatBytes(piped.bytes);
  const cut = piped.cut ? `the first ${size}; the rest is left out` : size;
  terminal.line(
    terminal.paint(
      piped.cut ? "yellow" : "dim",
      `${piped.cut ? "!" : " "} standard input goes with the question: ${cut}`,
    ),
  );
  const note = piped.cut ? ` (its first ${mostPipedBytes.toLocaleString("en-US")} bytes)` : "";
  return [
    { type: "text", text: question },
    { type: "text", text: `Standard input${note}:\n\n${piped.text}` },
  ];
}

const writeOut = (text: string): void => void process.stdout.write(text);
const widthOfOut = (): number => process.stdout.columns ?? 80;

interface Performing {
  readonly command: RunCommand;
  readonly input: RunInput;
  readonly host: Host;
  readonly conversation: Conversation;
  readonly terminal: Terminal;
  readonly interrupt: Interrupt;
}

async function perform(performing: Performing): Promise<number> {
  const { command, input, host, conversation, terminal, interrupt } = performing;
  const lines = command.output === "stream-json" ? createJsonLines(process.stdout) : null;
  const stream =
    command.output === "text" && process.stdout.isTTY
      ? createStreamText({ write: createWordWrap(writeOut, widthOfOut) }, paintFor(process.stdout))
      : null;
  const signal = lines === null ? interrupt.signal : AbortSignal.any([interrupt.signal, lines.gone]);
  const run = conversation.run(input, { signal, reads: command.reads });
  const followed = await followRun(run, terminal, stream, lines?.write);
  const result = await run.result;
  if (command.output !== "stream-json") printResult(result, command, followed);
  if (command.transcript !== undefined) {
    await writeTranscript(command.transcript, conversation.id, result, host.redact);
    const about = "secrets that the host knows are blanked out";
    terminal.line(terminal.paint("dim", `Transcript: ${visibleLine(command.transcript)} (${about})`));
  }
  if (lines?.gone.aborted === true) return interrupt.exitCode() ?? readerGone;
  for (const line of endLines(result, followed, host.auditLocation, terminal)) terminal.line(line);
  // What never began holds nothing to go on with.
  if (command.flags.store && conversation.messages.length > 0)
    terminal.line(terminal.paint("dim", `Conversation: ${conversation.id}`));
  return interrupt.exitCode() ?? exitCodeOf(result);
}

function printResult(result: RunResult, command: RunCommand, { answerShown }: Followed): void {
  // Escapes of JSON and of `visibleLine` are the same, so that the document keeps its value and cannot steer a terminal.
  if (command.output === "json") process.stdout.write(`${visibleLine(JSON.stringify(result))}\n`);
  else if (result.text !== "" && !answerShown) process.stdout.write(`${readableText(result.text)}\n`);
}

function endLines(
  result: RunResult,
  { missingRules }: Followed,
  auditLocation: string | null,
  { paint }: Terminal,
): string[] {
  const lines = summaryLines(result, paint);
  if (result.unasked > 0) {
    const denied = `Denied because nobody could be asked: ${count(result.unasked, "call")}.`;
    lines.push(paint("yellow", denied + allowAdvice(missingRules)));
  }
  if (auditLocation) lines.push(paint("dim", `Audit log: ${visibleLine(auditLocation)}`));
  return lines;
}
