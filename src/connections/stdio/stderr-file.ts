import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { HostError } from "../../errors.ts";
import { codeOf } from "../error-members.ts";

/** A file that gets what a server writes to its standard error. */
export interface StderrFile {
  push(chunk: Uint8Array): void;
  /** Resolves when all of it was written, or cannot be. Never rejects. */
  end(): Promise<void>;
}

export interface StderrFileSettings {
  /** Replaces the values of secrets; gets whole lines. */
  readonly redact: (text: string) => string;
  /** Over this many bytes the file is renamed to `FILE.1`, in the place of an older one. Default: 8 MiB. */
  readonly mostBytes?: number;
}

const usualBytes = 8 * 1024 * 1024;
const longestLine = 64 * 1024;
/** Of a line that is cut: a secret at the edge could not be recognised, and lies behind it as long as it is shorter. */
const margin = 4096;
/** What a slow disk may be behind; more of it is left out. */
const mostWaiting = 4 * 1024 * 1024;

/**
 * Appends to a file of mode 0600 that is made where there is none, with its folder. It and `FILE.1` stay bounded.
 * @throws HostError `server_start_failed` when it cannot be written: it is no file, say, or may not be
 */
export function openStderrFile(path: string, settings: StderrFileSettings): StderrFile {
  checkFile(path);
  const { redact, mostBytes = usualBytes } = settings;
  const decoder = new StringDecoder("utf8");
  let line = "";
  let cut = false;
  let waiting = "";
  let writing: Promise<void> | null = null;

  function take(text: string): void {
    if (waiting.length > mostWaiting) return;
    waiting += text;
    writing ??= write();
  }

  async function write(): Promise<void> {
    // What comes in one turn of the event loop is written at once.
    await Promise.resolve();
    while (waiting !== "") {
      const text = waiting;
      waiting = "";
      // A disk that is full says so with every write: the server goes on without its file.
      await append(path, text, mostBytes).catch(() => {});
    }
    writing = null;
  }

  return {
    push(chunk) {
      let text = decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (cut) {
        const rest = text.indexOf("\n") + 1;
        if (rest === 0) return;
        text = text.slice(rest);
        cut = false;
      }
      const last = text.lastIndexOf("\n") + 1;
      if (last > 0) {
        take(redact(line + text.slice(0, last)));
        line = "";
      }
      line += text.slice(last);
      if (line.length <= longestLine) return;
      take(`${redact(line).slice(0, longestLine - margin)}… (the rest of the line is left out)\n`);
      line = "";
      cut = true;
    },
    async end() {
      if (line !== "") take(`${redact(line)}\n`);
      line = "";
      await writing;
    },
  };
}

/** A pipe or a device would hold up the host, or be no record. */
function checkFile(path: string): void {
  const failed = (reason: string, cause?: unknown) =>
    new HostError(
      "server_start_failed",
      `its "stderr" file ${JSON.stringify(path)} cannot be written: ${reason}; correct it or leave it out`,
      { cause },
    );
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) throw failed("it is no file");
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "a", 0o600));
  } catch (cause) {
    if (cause instanceof HostError) throw cause;
    const code = codeOf(cause);
    throw failed(typeof code === "string" ? code : String(cause), cause);
  }
}

/** By its name each time: another server may write to the same file, and may have renamed it. */
async function append(path: string, text: string, mostBytes: number): Promise<void> {
  const file = await open(path, "a", 0o600);
  let size: number;
  try {
    await file.appendFile(text);
    size = (await file.stat()).size;
  } finally {
    await file.close();
  }
  if (size > mostBytes) await rename(path, `${path}.1`);
}
