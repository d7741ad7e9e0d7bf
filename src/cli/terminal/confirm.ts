import type { Interrupt } from "./interrupt.ts";

/** Whether a person can be asked: they read standard error and type. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks for a yes on standard error; the answer that is preselected, Ctrl-C and the run's end are a no. */
export async function confirmed(message: string, { signal }: Pick<Interrupt, "signal">): Promise<boolean> {
  const prompts = await import("@clack/prompts");
  const { stdin: input, stderr: output } = process;
  return (await prompts.confirm({ message, initialValue: false, input, output, signal })) === true;
}
