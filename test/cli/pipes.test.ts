import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environment, type Finished, fixture, homeFolder, root } from "./command.ts";

const home = homeFolder();
const main = join(root, "dist/cli/main.js");
const run = `node '${main}' 'Read the note "a.txt"' --server '${fixture("plain")}' --trust notes`;

/** Runs a line of a shell. Its own standard input stays open, and nobody writes to it. */
function shell(line: string): Promise<Finished> {
  const child = spawn("bash", ["-c", line], { cwd: root, env: environment(home), stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

test.each([
  ["run", `${run} < /dev/null`, 0],
  ["run --json", `${run} --json < /dev/null`, 0],
  ["run --stream-json", `${run} --stream-json < /dev/null`, 141],
  ["tools", `node '${main}' tools --server '${fixture("plain")}'`, 0],
  ["--help", `node '${main}' --help`, 0],
  ["run --help", `node '${main}' run --help`, 0],
])("%s into a reader that takes one line and leaves ends quietly", async (_name, line, status) => {
  const { stdout, stderr } = await shell(`${line} | head -n 1; echo "\${PIPESTATUS[0]}"`);
  expect(stderr).not.toMatch(/EPIPE|Error|\n\s+at |drawbridge: /);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  // Whatever fits into the pipe is written before the reader has left.
  expect([0, status]).toContain(Number(lines[1]));
});

test.each([
  ["run", `${run} < /dev/null`],
  ["run --stream-json", `${run} --stream-json < /dev/null`],
  ["config", `node '${main}' config`],
])("%s onto a full disk says so and fails", async (_name, line) => {
  const { stdout, stderr } = await shell(`${line} > /dev/full; echo "$?"`);
  expect(stderr).toMatch(/drawbridge: Standard output could not be written: ENOSPC.*\n$/);
  expect(stdout).toBe("1\n");
});

test("a working directory that was removed is told in one line", async () => {
  const { stdout, stderr } = await shell(
    `cd "$(mktemp -d)" && rmdir "$PWD" && node '${main}' config; echo "$?"`,
  );
  expect(stderr).toMatch(/(?:^|\n)drawbridge: The working directory is gone\. Change to a folder .*\n$/);
  expect(stdout).toBe("2\n");
});

test("a reader that is gone before anything is written does no harm", async () => {
  const { stdout, stderr } = await shell(`{ sleep 0.2; node '${main}' --help; echo "$?" >&2; } | true`);
  expect(stdout).toBe("");
  expect(stderr).toBe("0\n");
});

test("events into a reader that left stop the run: nobody wants the rest", async () => {
  const hangs = `node '${main}' 'Read the note "a.txt"' --server '${fixture("hangs")}' --trust notes`;
  const { stdout } = await shell(`${hangs} --stream-json < /dev/null | head -n 4; echo "\${PIPESTATUS[0]}"`);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("141");
});

test("what is piped in goes with the question, and how much is said", async () => {
  const { code, stdout, stderr } = await shell(`printf 'abc\\n' | ${run} --json`);
  expect(stderr).toContain("standard input goes with the question: 4 B");
  expect(JSON.parse(stdout).messages[0].content).toEqual([
    { type: "text", text: 'Read the note "a.txt"' },
    { type: "text", text: "Standard input:\n\nabc\n" },
  ]);
  expect(code).toBe(0);
});

test("a file, and more than the limit", async () => {
  const { stdout, stderr } = await shell(`head -c 300000 /dev/zero | tr '\\0' x > big.txt.$$
${run} --json < big.txt.$$; rm big.txt.$$`);
  expect(stderr).toContain(
    "! standard input goes with the question: the first 262.1 kB; the rest is left out",
  );
  const [, block] = JSON.parse(stdout).messages[0].content;
  expect(block.text).toMatch(/^Standard input \(its first 262,144 bytes\):\n\nx+$/);
});

test.each([
  ["closed", "<&-"],
  ["empty", "< /dev/null"],
  ["open, and nobody writes to it", ""],
])("standard input that is %s gives nothing and holds nothing up", async (_name, redirect) => {
  const { code, stdout, stderr } = await shell(`${run} ${redirect}`);
  expect(stdout).toContain("a.txt says hello");
  expect(stderr).not.toContain("goes with the question");
  expect(code).toBe(0);
});

test("what is no text is refused with what to do", async () => {
  const { code, stderr } = await shell(`printf 'a\\0b' | ${run}`);
  expect(stderr).toContain("drawbridge: Standard input is not text. To pass nothing: < /dev/null");
  expect(code).toBe(2);
});

test("what is piped in asks the offline model nothing", async () => {
  const { stdout } = await shell(`echo 'Delete the note "b.txt"' | ${run}`);
  expect(stdout).toContain("read_note: a.txt says hello");
});
