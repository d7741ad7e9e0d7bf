import { expect, test } from "vitest";
import type { HostFlags } from "../../src/cli/host-flags.ts";
import { mergeFlags } from "../../src/cli/settings/merge.ts";
import { type AskToStart, settlePending } from "../../src/cli/settings/pending.ts";
import type { Interrupt } from "../../src/cli/terminal/interrupt.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { hostOptions, parseCommand, serverIdFromCommand } from "../../src/index.ts";
import type { Agreement, Agreements, ConfiguredServer, LoadedConfig } from "../../src/types/settings.ts";

function configured(id: string, more: Partial<ConfiguredServer> = {}): ConfiguredServer {
  const config = { type: "stdio", command: "echo", args: [id], cwd: "/project" } as const;
  return {
    id,
    config,
    written: config,
    variables: [],
    origin: { type: "project", file: "/project/.mcp.json", line: 3 },
    disabled: false,
    pending: false,
    configHash: `hash of ${id}`,
    ...more,
  };
}

function loaded(servers: readonly ConfiguredServer[], more: Partial<LoadedConfig> = {}): LoadedConfig {
  return { files: [], servers, limits: {}, rules: [], projectRules: [], trust: [], warnings: [], ...more };
}

const noFlags: HostFlags = { servers: [], trust: [], allow: [], fallbackModels: [], store: true };
const reader = { parseCommand, serverIdFromCommand };
const merge = (config: LoadedConfig, flags: Partial<HostFlags>) =>
  mergeFlags(config, { ...noFlags, ...flags }, reader);
const ids = (config: LoadedConfig) => config.servers.map(({ id }) => id);

test("a --server adds to the configured ones, and replaces the one with its id", () => {
  const merged = merge(loaded([configured("b"), configured("c", { pending: true })]), {
    servers: ["a=node x.mjs", "c=node y.mjs"],
  });
  expect(ids(merged)).toEqual(["a", "b", "c"]);
  expect(merged.servers[2]).toMatchObject({
    config: { command: "node", args: ["y.mjs"] },
    origin: { type: "flag", flag: "--server" },
    pending: false,
  });
});

test("a --server that is the id of a configured one means that one, and then only named ones are used", () => {
  const config = loaded([configured("a", { pending: true }), configured("b"), configured("my server")]);
  const merged = merge(config, { servers: ["a", "my server", "x=node x.mjs"] });
  expect(ids(merged)).toEqual(["a", "my server", "x"]);
  // What waits for an agreement still waits.
  expect(merged.servers[0]?.pending).toBe(true);
});

test("a disabled server is not started by naming it", () => {
  const config = loaded([configured("a", { disabled: true })]);
  expect(() => merge(config, { servers: ["a"] })).toThrow(/disabled \(\/project\/\.mcp\.json:3\)/);
});

test("options win over the config, and say that they are options", () => {
  const user = { type: "user", file: "/u", line: 1 } as const;
  const merged = merge(
    loaded([configured("a")], {
      model: { value: "old", origin: user },
      limits: { turns: { value: 5, origin: user }, calls: { value: 9, origin: user } },
      rules: [{ value: "deny a/x", origin: user }],
    }),
    {
      model: "new",
      maxTurns: 7,
      maxTokens: 100,
      maxCost: 0.5,
      timeoutMs: 1000,
      allow: ["a/*"],
      trust: ["a"],
    },
  );
  expect(hostOptions(merged)).toMatchObject({
    model: "new",
    limits: { turns: 7, calls: 9, tokens: 100, cost: 0.5, runMs: 1000 },
    policy: { rules: ["deny a/x", "allow a/*"], trust: ["a"] },
  });
  expect(merged.model?.origin).toEqual({ type: "flag", flag: "--model" });
  const fallbackModels = [{ value: "configured", origin: user }];
  const asked = (names: string[]) => merge(loaded([], { fallbackModels }), { fallbackModels: names });
  expect(hostOptions(asked(["x", "y"])).fallbackModels).toEqual(["x", "y"]);
  expect(hostOptions(asked([])).fallbackModels).toEqual(["configured"]);
  expect(merged.limits.turns?.origin).toEqual({ type: "flag", flag: "--max-turns" });
});

test("a rule or a trust is checked against the configured servers and those of the options", () => {
  const config = loaded([configured("files")]);
  expect(() => merge(config, { servers: ["b=node x"], allow: ["b/x", "files/y"] })).not.toThrow();
  expect(() => merge(config, { allow: ["fils/x"] })).toThrow(/Did you mean "files"\?/);
  expect(() => merge(config, { trust: ["x"] })).toThrow(/--trust names no server/);
});

interface Played {
  readonly lines: string[];
  readonly agreed: string[];
  settle(config: LoadedConfig, ask: AskToStart | null): Promise<LoadedConfig>;
}

function play(before: readonly Agreement[] = []): Played {
  const lines: string[] = [];
  const agreed: string[] = [];
  const terminal: Terminal = {
    paint: (_colour, text) => text,
    line: (text) => void lines.push(text),
    waitFor() {},
    hold() {},
    release() {},
    close() {},
  };
  const interrupt: Interrupt = {
    signal: new AbortController().signal,
    exitCode: () => undefined,
    interrupt() {},
    stopping() {},
    dispose() {},
  };
  const agreements: Agreements = {
    agree: async ({ id }) => void agreed.push(id),
    withdraw: async () => 0,
    list: async () => before,
  };
  return {
    lines,
    agreed,
    settle: (config, ask) => settlePending(config, { terminal, interrupt, agreements, ask }),
  };
}

const optional = { type: "stdio", command: "echo", required: false } as const;

test("where nobody can be asked a required pending server ends the command with the line to type", async () => {
  const { lines, settle } = play();
  const only = loaded([configured("my server", { pending: true })]);
  await expect(settle(only, null)).rejects.toMatchObject({
    code: "server_pending",
    message: expect.stringMatching(
      /\(\/project\/\.mcp\.json:3\) is not started.*drawbridge trust 'my server'$/,
    ),
  });
  expect(lines).toEqual([]);
  const two = loaded([configured("a", { pending: true }), configured("b", { pending: true })]);
  await expect(settle(two, null)).rejects.toMatchObject({ code: "server_pending" });
  expect(lines.map((line) => line.replace(/.*: /, ""))).toEqual(["drawbridge trust a", "drawbridge trust b"]);
});

test("one that is not required is left out and told", async () => {
  const { lines, settle } = play();
  const settled = await settle(loaded([configured("a", { pending: true, config: optional })]), null);
  expect(hostOptions(settled).servers).toEqual({});
  expect(lines).toEqual([expect.stringContaining("drawbridge trust a")]);
});

test("a person is asked once for each, and only what was agreed to is started and kept", async () => {
  const { lines, agreed, settle } = play();
  const servers = ["a", "b", "c"].map((id) => configured(id, { pending: id !== "c" }));
  const asked: string[] = [];
  const settled = await settle(loaded(servers), async ({ id }) => {
    asked.push(id);
    return id === "b";
  });
  expect(asked).toEqual(["a", "b"]);
  expect(agreed).toEqual(["b"]);
  expect(Object.keys(hostOptions(settled).servers)).toEqual(["b", "c"]);
  expect(lines).toContain("! a is left out this time.");
});

test("who agrees sees which of their own rules and trust hold for a server of this id", async () => {
  const { lines, settle } = play();
  const at = (line: number) => ({ type: "user", file: "/u", line }) as const;
  const rules = ["allow files/*", "deny files/x", "allow other/*", "allow */read"].map((value, index) => ({
    value,
    origin: at(index),
  }));
  const trust = [{ value: "files", origin: at(9) }];
  const servers = [configured("files", { pending: true }), configured("quiet", { pending: true })];
  await settle(loaded(servers, { rules: rules.slice(0, 3), trust }), async () => false);
  expect(lines.filter((line) => line.includes("What you wrote"))).toEqual([
    "  ! What you wrote for this id holds for it: allow files/* (/u:0); its annotations are believed (/u:9).",
  ]);
  await settle(loaded(servers.slice(1), { rules }), async () => false);
  expect(lines.at(-2)).toContain("allow */read");
});

test("leaving the question starts nothing", async () => {
  const { agreed, settle } = play();
  const config = loaded([configured("a", { pending: true })]);
  await expect(settle(config, async () => null)).rejects.toMatchObject({ code: "aborted" });
  expect(agreed).toEqual([]);
});

test("the question shows the whole command, its folder, and every variable with where it goes, escaped", async () => {
  const { lines, settle } = play();
  const long = "x".repeat(5000);
  const server = configured("evil\u001b[2J", {
    pending: true,
    written: {
      type: "stdio",
      command: "run\u202e",
      args: [long, "a b", "${KEY}"],
      env: { NODE_OPTIONS: "--require ./x.js", "A\u001b": "${KEY}", MY_TOKEN: "literal-secret" },
    },
    variables: [
      { name: "KEY", place: "argument 3", from: "environment" },
      { name: "HOST\n", place: "environment variable A\u001b", from: "default" },
    ],
  });
  await settle(loaded([server]), async () => false);
  const text = lines.join("\n");
  expect(text).toContain(`"run\\u202e" ${long} "a b" "\${KEY}"`);
  for (const shown of [
    "/project/.mcp.json:3",
    "/project",
    'NODE_OPTIONS="--require ./x.js"',
    "${KEY} from your",
  ]) {
    expect(text).toContain(shown);
  }
  expect(text).toContain("into its argument 3");
  expect(text).not.toContain("literal-secret");
  expect(text).not.toMatch(/[\u001b\u202e]/);
});

test("an address is shown whole with its headers, and an earlier agreement to something else is told", async () => {
  const before = {
    configHash: "old",
    server: "web",
    file: "/project/.mcp.json",
    agreedAt: "2026-11-01T00:00:00Z",
  };
  const { lines, settle } = play([{ ...before, annotations: false }]);
  const config = {
    type: "http",
    url: "https://example.com/mcp?x=1",
    headers: { Authorization: "Bearer ${KEY}", "X-Y": "plain" },
  } as const;
  await settle(loaded([configured("web", { pending: true, config, written: config })]), async () => false);
  const text = lines.join("\n");
  expect(text).toContain("https://example.com/mcp?x=1");
  expect(text).toContain("Authorization: Bearer ${KEY}");
  expect(text).toContain("X-Y: plain");
  expect(text).toContain("On 2026-11-01 you agreed");
});
