import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { PolicyLogChange, PolicyLogReport } from "../../../index.ts";
import type { PolicyConfig } from "../../../types/config.ts";
import type { LoadedConfig, Setting } from "../../../types/settings.ts";
import { visibleLine } from "../../../util/visible.ts";
import { usageError } from "../../command-line/spec.ts";
import { exitCodes, readerGone } from "../../exit-code.ts";
import type { Interrupt } from "../../terminal/interrupt.ts";
import { createPacedOutput } from "../../terminal/output-lines.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { count } from "../../terminal/units.ts";
import { queryOf } from "../audit/filters.ts";
import { timeText } from "../audit/words.ts";

export interface PolicyCheckCommand {
  /** A config file: its rules take the place of the person's. */
  readonly rules?: string;
  /** Rules of the person's more. */
  readonly rule: readonly string[];
  readonly against?: string;
  readonly since?: string;
  readonly until?: string;
  readonly server?: string;
  readonly tool?: string;
  /** Also list what the log does not decide. */
  readonly undecided: boolean;
  readonly json: boolean;
  readonly config?: string;
}

/** Lists the past calls that the policy, or another one that is tried out, would decide otherwise. */
export async function checkPastCalls(
  command: PolicyCheckCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const { json, against } = command;
  const library = await import("../../../index.ts");
  const loaded = await library.loadConfig(command.config === undefined ? {} : { file: command.config });
  const policy = await policyOf(command, loaded, library);
  const output = createPacedOutput(process.stdout);
  const paint = paintFor(process.stdout);
  const wanted = ({ decision }: PolicyLogChange) => command.undecided || decision !== "undecided";
  let shown = 0;
  terminal.waitFor("the audit log");
  if (json) await output.write('{"changes":[');
  const checking = library.checkPolicyLog({
    policy,
    servers: Object.fromEntries(loaded.servers.map(({ id, config }) => [id, config])),
    ...queryOf(command),
    ...(against === undefined ? {} : { log: resolve(against) }),
    signal: AbortSignal.any([interrupt.signal, output.gone]),
    async onChange(change) {
      if (!wanted(change)) return;
      const before = shown === 0 ? "" : json ? ",\n" : "";
      const text = json ? visibleLine(JSON.stringify(change)) : `${changeLines(change, paint).join("\n")}\n`;
      shown += 1;
      await output.write(`${before}${text}`);
    },
  });
  const report = await checking.catch((thrown: unknown) => {
    // Whoever read it had enough.
    if (output.gone.aborted) return null;
    throw thrown;
  });
  terminal.waitFor(null);
  if (report === null) return readerGone;
  await output.write(json ? `],${JSON.stringify(report).slice(1)}\n` : `${reportLine(report)}\n`);
  for (const line of json ? [] : oddLines(report)) terminal.line(terminal.paint("yellow", `! ${line}`));
  return interrupt.exitCode() ?? (report.changed > 0 ? exitCodes.failed : exitCodes.answered);
}

type Library = Pick<typeof import("../../../index.ts"), "loadConfig">;

/** The policy that holds, with what is tried out in its place. */
async function policyOf(
  { rules, rule }: PolicyCheckCommand,
  loaded: LoadedConfig,
  { loadConfig }: Library,
): Promise<PolicyConfig> {
  if (rules !== undefined && !existsSync(rules)) {
    throw usageError(`--rules ${visibleLine(rules)}: there is no such file.`);
  }
  const own = rules === undefined ? loaded.rules : (await loadConfig({ file: rules })).rules;
  const { administratorRules = [], projectRules, trust, flows } = loaded;
  return {
    rules: [...values(own), ...rule],
    administratorRules: values(administratorRules),
    projectRules: values(projectRules),
    trust: values(trust),
    ...(flows === undefined ? {} : { flows: flows.value }),
  };
}

function values(settings: readonly Setting<string>[]): readonly string[] {
  return settings.map(({ value }) => value);
}

const marks = { allow: ["green", "+"], ask: ["yellow", "?"], deny: ["red", "-"] } as const;

/** One call on two lines: when, what, and what would become of it; why, and how to see the record. */
function changeLines(change: PolicyLogChange, paint: Paint): string[] {
  const { at, server, tool, before, decision, reason, file, seq } = change;
  const [colour, mark] = decision === "undecided" ? (["dim", "·"] as const) : marks[decision];
  const what = `${visibleLine(server)}/${visibleLine(tool)}`;
  return [
    `${paint("dim", timeText(at))} ${paint(colour, mark)} ${what}  ${before} → ${decision}`,
    paint("dim", `    ${visibleLine(reason)} show: ${visibleLine(file)}:${seq}`),
  ];
}

function reportLine({ calls, same, changed, undecided }: PolicyLogReport): string {
  if (calls === 0) return "No such call in the audit log.";
  const text = (some: number) => some.toLocaleString("en-US");
  const parts = [
    `${text(same)} as ${same === 1 ? "it was" : "they were"}`,
    `${text(changed)} otherwise`,
    ...(undecided === 0 ? [] : [`${text(undecided)} undecided, because the log does not say enough`]),
  ];
  return `${count(calls, "call")}: ${parts.join(", ")}.`;
}

function oddLines({ unreadable, altered, undecided, warnings }: PolicyLogReport): string[] {
  return [
    ...warnings.map(visibleLine),
    ...(unreadable === 0 ? [] : [`${count(unreadable, "line")} of the log cannot be read.`]),
    ...(altered === 0
      ? []
      : [`${count(altered, "record")} of the log changed after it was written: drawbridge audit verify.`]),
    ...(undecided === 0 ? [] : ["--undecided lists them, too."]),
  ];
}
