// The process that plays a script over HTTP: node http-main.js <file> [port]. It prints its URL.
import { appendFileSync, readFileSync } from "node:fs";
import process, { argv, exit, pid, stdout } from "node:process";
import { listenHostile } from "./http-server.ts";
import { suffer } from "./process-fault.ts";
import type { Seen } from "./script.ts";
import { type ScriptFile, scriptNow } from "./script-file.ts";

const file = JSON.parse(readFileSync(argv[2] ?? "", "utf8")) as ScriptFile;
const saw = (seen: Seen): void => appendFileSync(file.log, `${JSON.stringify(seen)}\n`);
const script = scriptNow(file);
saw({ kind: "started", pid, argv: argv.slice(3) });
const server = await listenHostile(script, { port: Number(argv[3] ?? 0), saw, suffer, exit });
stdout.write(`${server.url}\n`);
// Whoever started it is gone.
process.stdin.resume().on("end", () => exit(0));
