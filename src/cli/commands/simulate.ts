import { readFile } from "node:fs/promises";
import { HostError } from "../../errors.ts";
import type { NeutralStep } from "../../testing/simulate/neutral-turn.ts";
import type { NamedSimulator } from "../../testing/simulate/simulators.ts";
import type { SimulatedRequest, Simulator } from "../../testing/wire-server/server.ts";
import { didYouMean } from "../../util/closest.ts";
import { oneLine } from "../../util/one-line.ts";
import { own } from "../../util/own.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface SimulateCommand {
  /** The API's name, such as `anthropic`. */
  readonly api: string;
  /** 0: any that is free. */
  readonly port: number;
  /** A file with the steps that requests are answered with. */
  readonly script?: string;
  /** Writes every request to standard output, one JSON object a line. */
  readonly json: boolean;
}

/**
 * Runs a simulated API until it is interrupted: its address first, then a line for each request. Ends with 1 when its
 * script was not followed to the end.
 * @throws HostError `config_invalid`
 */
export async function runSimulate(
  command: SimulateCommand,
  terminal: Terminal,
  interrupt: Pick<Interrupt, "signal" | "stopping">,
): Promise<number> {
  const { namedSimulators } = await import("../../testing/simulate/simulators.ts");
  const simulator = own(namedSimulators, command.api);
  if (simulator === undefined) {
    const known = Object.keys(namedSimulators);
    const meant = didYouMean(command.api, known, "drawbridge simulate ");
    const message = `There is no simulated API "${command.api}".${meant} Known are ${known.join(", ")}.`;
    throw new HostError("config_invalid", message);
  }
  const steps = command.script === undefined ? undefined : await readSteps(command.script);
  interrupt.stopping("the simulator");
  const running = await startOn(simulator, command, (request) => tell(request, command, terminal), steps);
  try {
    const exports = Object.entries(simulator.variables(running.url)).map((pair) => pair.join("="));
    terminal.line(`The simulated API ${command.api} listens at ${running.url}`);
    terminal.line(`  export ${exports.join(" ")}`);
    terminal.line(terminal.paint("dim", "  Ctrl-C ends it"));
    await aborted(interrupt.signal);
    return leftOver(() => running.assertDone(), terminal);
  } finally {
    await running.close();
  }
}

async function readSteps(path: string): Promise<readonly NeutralStep[]> {
  const { readScript } = await import("../../testing/simulate/read-script.ts");
  let json: string;
  try {
    json = await readFile(path, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HostError("config_invalid", `The script cannot be read: ${why}.`, { cause });
  }
  try {
    return readScript(json);
  } catch (thrown) {
    if (!(thrown instanceof HostError)) throw thrown;
    throw new HostError(thrown.code, `${path}: ${thrown.message}`, { cause: thrown });
  }
}

async function startOn(
  simulator: NamedSimulator,
  { port }: SimulateCommand,
  onRequest: (request: SimulatedRequest) => void,
  steps: readonly NeutralStep[] | undefined,
): Promise<Simulator> {
  try {
    return await simulator.start({ port, onRequest, ...(steps === undefined ? {} : { steps }) });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HostError(
      "config_invalid",
      `Port ${port} cannot be used: ${why}. Choose another one with --port.`,
      {
        cause,
      },
    );
  }
}

function tell(request: SimulatedRequest, { json }: SimulateCommand, terminal: Terminal): void {
  const { status, path, refusal = "", headers, body } = request;
  const color = status === 200 ? "green" : "yellow";
  const answered = status === 0 ? "no answer" : String(status);
  terminal.line(
    `${terminal.paint(color, answered)} ${visibleLine(`${path} ${oneLine(refusal, 500)}`.trimEnd())}`,
  );
  if (!json) return;
  const written = { status, path, ...(refusal === "" ? {} : { refusal }), headers, body };
  process.stdout.write(`${visibleLine(JSON.stringify(written))}\n`);
}

function leftOver(assertDone: () => void, terminal: Terminal): number {
  try {
    assertDone();
    return exitCodes.answered;
  } catch (thrown) {
    terminal.line(terminal.paint("red", thrown instanceof Error ? thrown.message : String(thrown)));
    return exitCodes.failed;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
