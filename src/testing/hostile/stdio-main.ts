// The process that plays a script over standard input and output: node stdio-main.js <file>.
import { appendFileSync, readFileSync, writeSync } from "node:fs";
import process, { argv, env, exit, pid, stderr, stdin, stdout } from "node:process";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isObject, own } from "../../util/own.ts";
import { playScript, type Wire } from "./play-script.ts";
import { suffer } from "./process-fault.ts";
import type { Seen } from "./script.ts";
import { type ScriptFile, scriptNow } from "./script-file.ts";

const file = JSON.parse(readFileSync(argv[2] ?? "", "utf8")) as ScriptFile;
const { log } = file;
const script = scriptNow(file);
const play = playScript(script);
const waiting = new Map<string, (answer: unknown) => void>();
let asked = 0;

const saw = (seen: Seen): void => appendFileSync(log, `${JSON.stringify(seen)}\n`);

const write = (bytes: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => stdout.write(bytes, () => resolve()));

const wire: Wire = {
  message: (text) => write(`${text}\n`),
  answer: (text) => write(`${text}\n`),
  async bytes(bytes) {
    await write(bytes);
    // The reader shall see each piece by itself.
    await nextTurn();
  },
  ask(method, params) {
    const id = `server-${++asked}`;
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`).catch(reject);
    });
  },
  stderr: (text) => stderr.write(text),
  stderrSync(bytes) {
    const line = Buffer.from(`${"e".repeat(1023)}\n`);
    for (let left = bytes; left > 0; ) left -= writeAll(line.subarray(0, left));
  },
  environment: (name) => own(env as Record<string, string>, name),
  suffer(fault) {
    saw({ kind: "fault", params: fault });
    return suffer(fault);
  },
  exit: (code) => exit(code),
};

/** Writes to standard error until the pipe has taken it: a full one says EAGAIN. */
function writeAll(bytes: Uint8Array): number {
  for (;;) {
    try {
      return writeSync(2, bytes);
    } catch (thrown) {
      if (!isObject(thrown) || thrown.code !== "EAGAIN") throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function receive(line: string): void {
  const message = parse(line);
  if (!isObject(message)) {
    saw({ kind: "invalid", params: line.slice(0, 200) });
    return;
  }
  const { id, method, params } = message;
  if (typeof method !== "string") {
    saw({ kind: "response", id, answer: message.result ?? message.error });
    waiting.get(String(id))?.(message.result ?? { error: message.error });
  } else if (id === undefined) {
    saw({ kind: "notification", method, params });
  } else {
    saw({ kind: "request", id, method, params });
    play({ id, method, params }, wire).catch((thrown: unknown) => stderr.write(`${String(thrown)}\n`));
  }
}

saw({ kind: "started", pid, argv: argv.slice(3), envNames: Object.keys(env).sort() });
if (script.ignoreSigterm === true) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 60_000);
}
for (const text of script.beforeStdout ?? []) stdout.write(text);
let rest = "";
stdin.setEncoding("utf8");
stdin.on("data", (chunk: string) => {
  const lines = `${rest}${chunk}`.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line.trim() !== "") receive(line);
});
stdin.on("end", () => {
  if (script.ignoreSigterm !== true) exit(0);
});
