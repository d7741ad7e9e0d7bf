import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Anthropic } from "@anthropic-ai/sdk";
import { afterAll, expect, test } from "vitest";
import { runSimulate, type SimulateCommand } from "../../src/cli/commands/simulate.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { homeFolder, root, start } from "./command.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-simulate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function scriptFile(name: string, script: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof script === "string" ? script : JSON.stringify(script));
  return path;
}

interface Running {
  readonly lines: string[];
  readonly client: Anthropic;
  /** Interrupts it and gives its exit code. */
  end(): Promise<number>;
}

/** Runs the command in this process until it says where it listens. */
async function simulate(command: Partial<SimulateCommand>): Promise<Running> {
  const lines: string[] = [];
  const abort = new AbortController();
  let listening = (_url: string): void => {};
  const url = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const terminal = {
    paint: (_colour: string, text: string) => text,
    line(text: string) {
      lines.push(text);
      const found = /listens at (?<url>\S+)/.exec(text)?.groups?.url;
      if (found !== undefined) listening(found);
    },
  } as unknown as Terminal;
  const whole = { api: "anthropic", port: 0, json: false, ...command };
  const code = runSimulate(whole, terminal, { signal: abort.signal, stopping() {} });
  const baseURL = await Promise.race([url, code.then(() => "")]);
  return {
    lines,
    client: new Anthropic({ apiKey: "sk-secret-0123456789", baseURL, maxRetries: 0 }),
    end() {
      abort.abort();
      return code;
    },
  };
}

const hello: Anthropic.MessageCreateParamsNonStreaming = {
  model: "claude-opus-5",
  max_tokens: 100,
  messages: [{ role: "user", content: "hello" }],
};

test("it says where it listens and what to export, and tells each request with its refusal", async () => {
  const running = await simulate({});
  await running.client.messages.create(hello);
  await running.client.messages.create({ ...hello, max_tokens: 0 }).catch(() => {});
  expect(await running.end()).toBe(0);
  expect(running.lines).toEqual([
    expect.stringMatching(/^The simulated API anthropic listens at http:\/\/127\.0\.0\.1:\d+$/),
    expect.stringMatching(/^ {2}export ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+ ANTHROPIC_API_KEY=\w+$/),
    "  Ctrl-C ends it",
    "200 /v1/messages",
    "400 /v1/messages max_tokens: Input should be greater than or equal to 1",
  ]);
});

test("a script is followed step by step, with its calls, its thinking and its faults", async () => {
  const script = scriptFile("steps.json", [
    { thinking: "Which?", calls: [{ name: "read", input: { path: "a" } }] },
    { fault: { type: "overloaded" } },
    { fault: { type: "rate_limited", retryAfter: 3 } },
    { fault: { type: "html", status: 413 } },
    { fault: { type: "cut", afterEvents: 3, turn: { text: "never whole" } } },
    { refusal: "Not that." },
  ]);
  const running = await simulate({ script });
  const ask = (): Promise<Anthropic.Message> => running.client.messages.stream(hello).finalMessage();
  expect((await ask()).content).toMatchObject([
    { type: "thinking", thinking: "Which?" },
    { type: "tool_use", name: "read", input: { path: "a" } },
  ]);
  await expect(ask()).rejects.toMatchObject({ status: 529 });
  await expect(ask()).rejects.toMatchObject({ status: 429 });
  await expect(ask()).rejects.toMatchObject({ status: 413 });
  await expect(ask()).rejects.toThrow();
  expect(await ask()).toMatchObject({ stop_reason: "refusal", stop_details: { explanation: "Not that." } });
  expect(await running.end()).toBe(0);
  expect(running.lines.slice(3)).toEqual([
    "200 /v1/messages",
    "529 /v1/messages fault: overloaded",
    "429 /v1/messages fault: rate_limited",
    "413 /v1/messages fault: html",
    "200 /v1/messages fault: cut",
    "200 /v1/messages",
  ]);
});

test("a script that was not followed to its end is a failure, and so is a request too many", async () => {
  const script = scriptFile("one.json", [{ text: "one" }]);
  const idle = await simulate({ script });
  expect(await idle.end()).toBe(1);
  expect(idle.lines.at(-1)).toContain("asked 0 times; its script has 1 step.");
  const two = await simulate({ script: scriptFile("two.json", [{ text: "one" }, { text: "two" }]) });
  await two.client.messages.create(hello);
  expect(await two.end()).toBe(1);
  expect(two.lines.at(-1)).toContain("asked 1 time; its script has 2 steps.");
  const busy = await simulate({ script });
  await busy.client.messages.create(hello);
  await expect(busy.client.messages.create(hello)).rejects.toThrow("no step is left");
  expect(await busy.end()).toBe(1);
});

test.each([
  ["no JSON", "[", "is no JSON"],
  ["no list", {}, "The script must be a list of steps."],
  [
    "an unknown member",
    [{ txt: "a" }],
    'Step 1 has "txt"; known are thinking, text, calls, refusal, cut, delayMs.',
  ],
  ["a wrong kind", [{ text: "a" }, { text: 3 }], 'Step 2: "text" must be a text.'],
  ["an empty step", [{}], "Step 1 is empty"],
  ["a call without a name", [{ calls: [{ input: {} }] }], 'Step 1: call 1 needs "name": a text.'],
  [
    "a fault nobody knows",
    [{ fault: { type: "fire" } }],
    'Step 1: the fault has the type "fire"; known are rate_limited,',
  ],
  [
    "a fault and an answer",
    [{ fault: { type: "overloaded" }, text: "a" }],
    'Step 1 has a fault, and "text" beside it',
  ],
  [
    "a fault without its turn",
    [{ fault: { type: "cut", afterEvents: 1 } }],
    'Step 1: the fault needs "turn": an object.',
  ],
  ["a status that is none", [{ fault: { type: "html", status: 99 } }], '"status" must be an HTTP status.'],
])("a script with %s is one line that says which step is wrong", async (_, script, words) => {
  const path = scriptFile("wrong.json", script);
  await expect(simulate({ script: path })).rejects.toMatchObject({ code: "config_invalid" });
  await expect(simulate({ script: path })).rejects.toThrow(words);
});

test("an API, a file or a port that cannot be had is told", async () => {
  await expect(simulate({ api: "antropic" })).rejects.toThrow(
    'Did you mean "drawbridge simulate anthropic"?',
  );
  await expect(simulate({ api: "__proto__" })).rejects.toThrow("There is no simulated API");
  await expect(simulate({ script: join(folder, "nowhere.json") })).rejects.toThrow(
    "The script cannot be read",
  );
  const running = await simulate({});
  const port = Number(new URL(running.client.baseURL).port);
  await expect(simulate({ port })).rejects.toThrow(`Port ${port} cannot be used`);
  await running.end();
});

test("as a process: the journal is on standard output without a key, and Ctrl-C ends it", async () => {
  const { child, saw, finished } = start(["simulate", "anthropic", "--json"], homeFolder(), root);
  let told = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    told += chunk.toString();
  });
  await saw("Ctrl-C ends it");
  const baseURL = /listens at (?<url>\S+)/.exec(told)?.groups?.url ?? "";
  await new Anthropic({ apiKey: "sk-secret-0123456789", baseURL }).messages.create(hello);
  await fetch(`${baseURL}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "sk-secret-0123456789", "anthropic-version": "2023-06-01" },
    body: JSON.stringify(hello),
  });
  await saw("200 /v1/messages");
  child.kill("SIGINT");
  const { code, stdout, stderr } = await finished;
  expect(code).toBe(0);
  expect(stderr).toContain("Interrupted: stopping the simulator.");
  const journal = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { headers: object });
  expect(journal).toMatchObject([
    { status: 200, path: "/v1/messages", headers: { authorization: "present" }, body: hello },
    { status: 200, headers: { "x-api-key": "present" } },
  ]);
  expect(stdout + stderr).not.toContain("0123456789");
});
