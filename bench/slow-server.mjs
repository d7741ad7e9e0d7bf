// The benchmarks' server, so many milliseconds late as a file says: node slow-server.mjs FILE.
import { readFileSync } from "node:fs";

await new Promise((resolve) => setTimeout(resolve, Number(readFileSync(process.argv[2], "utf8"))));
await import("./tool-server.mjs");
