// Format, lint, types, layers, unused code and packaging: everything but the tests. Two checks run at a time.
import { spawn } from "node:child_process";
import { prepare } from "./prepare.mjs";

await prepare();

const checks = [
  ["format and lint", "biome", ["check", "--error-on-warnings", "."]],
  ["types", "tsc", ["-p", "tsconfig.json"]],
  ["layers", "vitest", ["run", "test/layers.test.ts"]],
  ["unused code", "knip", []],
  ["package", "publint", ["--strict"]],
  ["package types", "attw", ["--pack", ".", "--profile", "esm-only"]],
];

function run([name, command, args]) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn("npx", ["--no-install", command, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("close", (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

const results = [];
const waiting = [...checks];
await Promise.all(
  [0, 1].map(async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) results.push(await run(check));
  }),
);
const failed = results.filter((ok) => !ok).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
