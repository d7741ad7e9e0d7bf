import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { factLines, factsOf } from "../../src/cli/commands/doctor/facts.ts";
import type { Diagnosis } from "../../src/index.ts";
import { drawbridge, fixture, homeFolder, processesOf } from "./command.ts";
import { fixtureServer, projectFolder } from "./project.ts";

test("doctor says what there is, how each server starts, and what to do", async () => {
  const home = homeFolder();
  const folder = projectFolder({ waits: fixtureServer() });
  const { code, stdout } = await drawbridge(
    ["doctor", "--server", `notes=node ${fixtureServer().args[0]} plain`],
    home,
    folder,
  );
  for (const line of [
    /^✓ Node 2/m,
    /^✓ State folder .*free$/m,
    /^✓ Config 1 .*\.mcp\.json \(project\): found$/m,
    /^✓ Server "notes": ready after .*, MCP \d{4}-\d\d-\d\d \(legacy era\), 2 tools$/m,
    /^! Server "waits" .*not started.*drawbridge trust waits$/m,
    /^✓ No model key is set: ANTHROPIC_API_KEY, /m,
  ]) {
    expect(stdout).toMatch(line);
  }
  // One waits for an agreement.
  expect(code).toBe(3);
  expect(processesOf(home)).toEqual([]);
});

test("a server that is down is told with its exit code and its last words; the others are looked at all the same", async () => {
  const home = homeFolder();
  const argv = ["--server", `a=${fixture("exits").replace("notes=", "")}`, "--server", fixture("plain")];
  const { code, stdout } = await drawbridge(["doctor", ...argv], home);
  expect(stdout).toMatch(/^✗ Server "a".*exit code 7/m);
  expect(stdout).toContain("\n  | fixture: the folder to serve is missing");
  expect(stdout).toMatch(/^✓ Server "notes": ready/m);
  expect(code).toBe(3);
  const report = JSON.parse((await drawbridge(["doctor", "--json", ...argv], home)).stdout);
  expect(report.ok).toBe(false);
  expect(report.servers.map((server: { status: { state: string } }) => server.status.state)).toEqual([
    "failed",
    "ready",
  ]);
});

test("rules that can match nothing are told, those for servers that wait are not", async () => {
  const home = homeFolder();
  const rules = ["allow notes/raed_note", "deny nobody/x", "allow waits/x", "allow */x"];
  mkdirSync(join(home, "config"));
  writeFileSync(join(home, "config/drawbridge.json"), JSON.stringify({ policy: { rules } }));
  const { stdout } = await drawbridge(
    ["doctor", "--server", `notes=node ${fixtureServer().args[0]} plain`],
    home,
    projectFolder({ waits: fixtureServer() }),
  );
  expect(stdout).toMatch(/^! The rule `allow notes\/raed_note` names no tool that its server has/m);
  expect(stdout).toMatch(/^! The rule `deny nobody\/x` names no server of this host/m);
  expect(stdout.match(/The rule `/g)).toHaveLength(2);
});

test("a config that cannot be read is told with its place, and the rest is looked at", async () => {
  const folder = projectFolder({});
  writeFileSync(join(folder, ".mcp.json"), '{ "mcpServers": { "a": { "command": 5 } } ');
  const { code, stdout } = await drawbridge(["doctor"], homeFolder(), folder);
  expect(stdout).toMatch(/^✗ .*\.mcp\.json:1:\d+: /m);
  expect(stdout).toMatch(/^✓ State folder/m);
  expect(code).toBe(1);
});

test.each([
  ["gpt", 'There is no model "gpt". Known are'],
  ["claude-opus-5", 'The model "claude-opus-5" needs a key: set ANTHROPIC_API_KEY'],
])("a configured model that cannot answer is no good state: %s", async (model, said) => {
  const folder = projectFolder({});
  writeFileSync(join(folder, "own.json"), JSON.stringify({ model }));
  const { code, stdout } = await drawbridge(["doctor", "--config", "own.json"], homeFolder(), folder);
  expect(stdout).toMatch(new RegExp(`^✗ Model \\(.*own\\.json:1\\): ${said}`, "m"));
  expect(stdout).not.toContain("the offline model answers");
  expect(code).toBe(1);
});

test("a configured model that can answer is named, and a key of another API makes none of itself", () => {
  const origin = { type: "user", file: "/own.json", line: 3 } as const;
  const loaded = { files: [], servers: [], warnings: [], model: { value: "ollama/x", origin } };
  const of = (model: Diagnosis["model"], config: object | null) =>
    factLines(factsOf({ ...diagnosis, model }, config as never, null), (_colour, word) => word);
  expect(of({ name: "ollama/x", offline: false, problem: null }, loaded)).toContain(
    "✓ Model ollama/x (/own.json:3)",
  );
  const named = { name: "offline/offline", offline: true, problem: null };
  expect(of(named, loaded)).toContain("✓ Model offline/offline (/own.json:3)");
  const offline = of(named, null);
  expect(offline.at(-1)).toMatch(/^! No model: .* or name another model with "model" in your config file\.$/);
});

const hostile = "\u001b[2J\u202e";
const diagnosis: Diagnosis = {
  version: "1",
  node: { version: "18.0.0", supported: false },
  state: { folder: hostile, exists: true, problem: `no ${hostile}`, freeBytes: 1 },
  clock: { now: "2020-01-01T00:00:00.000Z", problem: "The clock says 2020-01-01, which is past." },
  keys: [{ variable: "OPENAI_API_KEY", set: true }],
  localModels: [{ name: "Ollama", url: "http://127.0.0.1:11434/v1", models: [hostile] }],
  model: { name: null, offline: false, problem: `no ${hostile}` },
  audit: { files: 1, bytes: 10, ok: false, problem: `bad ${hostile}.` },
  servers: [
    {
      status: {
        server: hostile,
        state: "failed",
        required: false,
        error: { code: "server_exited", message: `gone, with exit code 7.\n${hostile}` },
      },
      quarantined: [],
      warnings: [],
      drift: null,
    },
    {
      status: { server: "b", state: "ready", era: "modern", protocolVersion: hostile, ms: 5, tools: 1 },
      quarantined: [{ server: "b", tool: hostile, reason: hostile }],
      warnings: [{ server: "b", reason: `looks like ${hostile}` }],
      drift: {
        server: "b",
        drift: "block",
        pinnedAt: "2026-01-02T00:00:00.000Z",
        tools: [{ tool: hostile, type: "changed", since: "2026-01-02", differences: [hostile] }],
      },
    },
  ],
  problem: { code: "config_invalid", message: hostile },
};

test("what does not work is said with what to do, and nothing that was found can steer the terminal", () => {
  const facts = factsOf(diagnosis, null, `file:1:2: ${hostile}\nfile:2:2: more`);
  const text = factLines(facts, (_colour, word) => word).join("\n");
  expect(text).not.toMatch(/[\u001b\u202e]/);
  for (const line of [
    /^✗ Node 18\.0\.0 is too old/m,
    /^✗ State folder .*DRAWBRIDGE_HOME/m,
    /^! The clock says 2020/m,
    /^✗ Audit log: bad .*audit verify/m,
    /^✗ file:2:2: more$/m,
    /^ {2}\| \\u001b/m,
    /^! Server "b": .*, pinned on 2026-01-02, 1 of them kept from the model$/m,
    /^! {3}b: looks like \\u001b/m,
    /^! {3}b\/\\u001b.* changed since 2026-01-02$/m,
    /^✓ Model keys set: OPENAI_API_KEY$/m,
    /^✓ Ollama at .*\\u001b/m,
    /^✗ Model \(default\): no \\u001b/m,
  ]) {
    expect(text).toMatch(line);
  }
});
