import { readFile } from "node:fs/promises";
import { HostError } from "../../../errors.ts";
import { visibleLine } from "../../../util/visible.ts";
import { exitCodes } from "../../exit-code.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import { count } from "../../terminal/units.ts";

export interface AuditVerifyCommand {
  readonly json: boolean;
  /** A file of heads that were kept. */
  readonly against?: string;
  /** A file with a public key. */
  readonly publicKey?: string;
}

type AuditReport = Awaited<ReturnType<typeof import("../../../index.ts").verifyAudit>>;

/** Checks the audit log in the state folder and prints what was found. */
export async function verifyAuditLog(command: AuditVerifyCommand): Promise<number> {
  const library = await import("../../../index.ts");
  const [against, publicKey] = await Promise.all([readText(command.against), readText(command.publicKey)]);
  const report = await library.verifyAudit(undefined, {
    ...(against === undefined ? {} : { against }),
    ...(publicKey === undefined ? {} : { publicKey }),
  });
  const lines = command.json
    ? [visibleLine(JSON.stringify(report))]
    : reportLines(report, paintFor(process.stdout));
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return report.ok ? exitCodes.answered : exitCodes.failed;
}

async function readText(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new HostError("config_invalid", `${visibleLine(path)} cannot be read.`, { cause });
  }
}

/** A line for each file that has something to tell, and one for the whole log. */
function reportLines(report: AuditReport, paint: Paint): string[] {
  const lines = report.files.flatMap((file) => {
    const path = visibleLine(file.path);
    if (!file.ok) {
      const where = file.firstBadSeq === undefined ? "" : ` (record ${file.firstBadSeq})`;
      return [paint("red", `✗ ${path}${where}: ${visibleLine(file.problem ?? "it was changed.")}`)];
    }
    return file.note === undefined ? [] : [paint("yellow", `! ${path}: ${visibleLine(file.note)}`)];
  });
  const whole = `${count(report.records, "record")} in ${count(report.files.length, "file")}`;
  if (report.files.length === 0) return [noLog(report, paint)];
  const bad = report.files.filter((file) => !file.ok).length;
  const uncovered = report.files.reduce((sum, file) => sum + (file.uncovered ?? 0), 0);
  lines.push(
    report.ok
      ? goodLine(whole, uncovered, paint)
      : paint(
          "red",
          `✗ ${whole}: ${count(bad, "file")} not as written. Keep them and find out who could write there.`,
        ),
  );
  return lines;
}

/** What may have been added is not called unchanged. */
function goodLine(whole: string, uncovered: number, paint: Paint): string {
  if (uncovered === 0) return `${paint("green", "✓")} ${whole}: unchanged.`;
  const but = `unchanged up to the heads, and ${count(uncovered, "record")} behind them`;
  return paint("yellow", `! ${whole}: ${but}.`);
}

function noLog({ note }: AuditReport, paint: Paint): string {
  return note === undefined
    ? "There is no audit log yet."
    : paint("yellow", `! There is no audit log. ${visibleLine(note)}`);
}
