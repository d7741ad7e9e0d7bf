import { open } from "node:fs/promises";
import { HostError } from "../errors.ts";
import { visibleLine } from "../util/visible.ts";

/** Longer instructions are a mistake: they are sent with every request. */
const mostBytes = 1_000_000;

/**
 * What `--system` says: the text, or with `@` before it the text of that file. `@@` is a text that begins with `@`.
 * @throws HostError `config_invalid`
 */
export async function readSystemText(text: string): Promise<string> {
  if (!text.startsWith("@")) return text;
  if (text.startsWith("@@")) return text.slice(1);
  const path = text.slice(1);
  const found = await readBounded(path).catch((cause: unknown) => {
    throw new HostError("config_invalid", `--system: the file ${visibleLine(path)} cannot be read.`, {
      cause,
    });
  });
  if (found === null) {
    throw new HostError("config_invalid", `--system: the file ${visibleLine(path)} is larger than 1 MB.`);
  }
  return found;
}

/** Null for what is longer. A pipe such as `<(command)` is read, too; what has no end is read no further. */
async function readBounded(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) return null;
    }
    return Buffer.concat(chunks).toString("utf8");
  } finally {
    await file.close();
  }
}
