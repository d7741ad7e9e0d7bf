import { resolve } from "node:path";
import { visibleLine } from "../../../util/visible.ts";
import { exitCodes } from "../../exit-code.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export interface AuditKeygenCommand {
  readonly file: string;
}

/** Makes a key for signing heads, and prints its public half. */
export async function makeAuditKey({ file }: AuditKeygenCommand, terminal: Terminal): Promise<number> {
  const library = await import("../../../index.ts");
  const path = resolve(file);
  const publicKey = library.createAuditKey(path);
  process.stdout.write(publicKey);
  const setting = visibleLine(`"audit": { "sign": ${JSON.stringify(path)} }`);
  terminal.line(`To sign the audit log, put this into your own config file: ${setting}`);
  terminal.line(
    "Keep the public key above on another machine: drawbridge audit verify --public-key FILE uses it.",
  );
  return exitCodes.answered;
}
