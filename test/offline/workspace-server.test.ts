import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type StartedServer, startServer } from "./servers.ts";

let outside: string;
let folder: string;
let server: StartedServer;

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), "drawbridge-workspace-"));
  folder = join(outside, "root");
  for (const name of ["src", ".git", "node_modules"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(outside, "secret.txt"), "needle outside");
  writeFileSync(join(folder, "src/a.ts"), "one\nneedle here\nNEEDLE there\n");
  writeFileSync(join(folder, "src/b.py"), "# pin\n");
  writeFileSync(join(folder, ".git/c"), "needle");
  writeFileSync(join(folder, "node_modules/d.ts"), "needle");
  writeFileSync(join(folder, "binary"), Buffer.from("\0needle"));
  symlinkSync(join(outside, "secret.txt"), join(folder, "link.txt"));
  symlinkSync(outside, join(folder, "up"));
  server = await startServer("workspace", folder);
});

afterAll(async () => {
  await server.close();
  rmSync(outside, { recursive: true });
});

test("its annotations say which tool only reads and which may destroy and reach outside", () => {
  const hints = Object.fromEntries(server.tools.map((tool) => [tool.name, tool.annotations]));
  const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  expect(hints).toEqual({
    search_code: reads,
    read_file: reads,
    run_command: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  });
});

test("a search leaves out links, binary files, .git and node_modules", async () => {
  const { text } = await server.call("search_code", { pattern: "needle" });
  expect(text).toBe("src/a.ts:2: needle here\n(1 binary or large files were not searched)");
});

test("alternatives, folded case and globs narrow and widen a search", async () => {
  const both = await server.call("search_code", {
    pattern: "needle|pin",
    case_sensitive: false,
    path: "src",
  });
  expect(both.text).toBe("src/a.ts:2: needle here\nsrc/a.ts:3: NEEDLE there\nsrc/b.py:1: # pin");
  const typed = await server.call("search_code", { pattern: "needle|pin", glob: "**/*.py" });
  expect(typed.text).toBe("src/b.py:1: # pin");
  const none = await server.call("search_code", { pattern: "needle|pin", glob: "*.go" });
  expect(none).toEqual({ text: "No line contains needle|pin.", isError: false });
});

test("a search that found more than it may return says so", async () => {
  const { text } = await server.call("search_code", { pattern: "e", max_results: 1 });
  expect(text.split("\n")).toEqual([
    "src/a.ts:1: one",
    "(cut after 1 lines: raise max_results or narrow path or glob)",
  ]);
});

test.each(["../secret.txt", "link.txt", "up/secret.txt", "src/../../secret.txt"])(
  "no path leads outside: %s",
  async (path) => {
    const answer = await server.call("read_file", { path });
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("lies outside the workspace");
    expect((await server.call("search_code", { pattern: "needle", path })).isError).toBe(true);
  },
);

test("a file is read whole or by lines, and what cannot be read is explained", async () => {
  expect((await server.call("read_file", { path: "src/b.py" })).text).toBe("# pin\n");
  const lines = await server.call("read_file", { path: "src/a.ts", start_line: 2, end_line: 3 });
  expect(lines.text).toBe("needle here\nNEEDLE there");
  expect(await server.call("read_file", { path: "src" })).toEqual({ text: "src is no file.", isError: true });
  expect((await server.call("read_file", { path: "nope" })).text).toBe("There is no nope in the workspace.");
  expect((await server.call("read_file", { path: "src/b.py", start_line: 9 })).text).toContain(
    "has only 2 lines",
  );
});

test("a command runs in the root without a shell, and its failure is a result", async () => {
  const told = await server.call("run_command", {
    program: process.execPath,
    args: ["-e", "console.log(process.argv[1])", "$HOME; ls"],
  });
  expect(told).toEqual({ text: "$HOME; ls\n", isError: false });
  const failed = await server.call("run_command", {
    program: process.execPath,
    args: ["-e", "process.exit(3)"],
  });
  expect(failed.isError).toBe(true);
  expect(failed.text).toContain("it ended with code 3");
  expect((await server.call("run_command", { program: "no-such-program" })).isError).toBe(true);
});
