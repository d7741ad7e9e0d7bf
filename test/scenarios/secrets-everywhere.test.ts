import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createHost, type RunEvent, renderQuestion } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { drawbridge, homeFolder, root } from "../cli/command.ts";

const secret = 'p@ss/"w+rd ü~4711\\geheim';
const server = join(root, "test/fixtures/leaky-server.mjs");
const servers = {
  leaky: { command: process.execPath, args: [server], env: { LEAK_TOKEN: secret } },
};

// Where the server of the fixture says its secret, each in nine forms: standard error, its own name, its instructions, the
// titles, the descriptions and the schemas of its tools, log messages and their logger, progress, the text, links and
// structured content of results, errors of calls, questions to the person and titles of their fields, and its last words
// before it dies. Beside it stands in a rule of the person, in what the model asks for, and, over HTTP, in headers, in an
// address and in the key of a model, which the other side says back.

/** What is looked for: made here by other means than the code that replaces it. */
const forms: readonly (readonly [name: string, text: string])[] = [
  ["as it is", secret],
  ["in JSON", JSON.stringify(secret).slice(1, -1)],
  ["in JSON in JSON", JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)],
  ...[0, 1, 2].flatMap((shift): [string, string][] => {
    // The characters that the secret alone decides, wherever it stands in what is encoded.
    const encoded = Buffer.from(`${"x".repeat(shift)}${secret}`)
      .toString("base64")
      .replace(/=+$/, "");
    const inner = encoded.slice(4, -4);
    return [
      [`base64, shifted by ${shift}`, inner],
      [`base64url, shifted by ${shift}`, inner.replaceAll("+", "-").replaceAll("/", "_")],
    ];
  }),
  ["hex", Buffer.from(secret).toString("hex")],
  ["HEX", Buffer.from(secret).toString("hex").toUpperCase()],
  ["in a URL", encodeURIComponent(secret)],
  ["in a form", new URLSearchParams({ "": secret }).toString().slice(1)],
];

function formsIn(text: string): readonly string[] {
  return forms.filter(([, form]) => text.includes(form)).map(([name]) => name);
}

/** Names of what holds the secret, each with the forms. */
function leaks(texts: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  const found = Object.entries(texts).map(([name, text]) => [name, formsIn(text)] as const);
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
}

function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

afterEach(() => void vi.unstubAllEnvs());

/** What a host emitted, by its kind. */
const emitted: Record<string, string> = {};
let state = "";

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "secrets-everywhere-"));
  const names = ["leak", "refuse", "ask", "die"];
  const calls = names.map((name) => ({ name: `leaky__${name}`, input: { note: "no secret" } }));
  const questions: string[] = [];
  await using host = createHost({
    servers,
    model: scriptedModel([...calls.map((call) => ({ calls: [call] })), { text: "done" }]),
    policy: { rules: [`deny leaky/refuse note=${JSON.stringify(secret)}`] },
    state,
    instructions: "all",
    approve(request) {
      for (const question of request.questions) {
        questions.push(...renderQuestion(question, { redact: request.redact }));
        request.answer(question.id, { type: "allow", scope: "conversation" });
      }
    },
    async elicit(request) {
      questions.push(JSON.stringify(request));
      return { action: "decline" };
    },
  });
  const run = host.run("go");
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  emitted.questions = questions.join("\n");
  for (const event of events) {
    emitted[`event ${event.type}`] = `${emitted[`event ${event.type}`] ?? ""}${JSON.stringify(event)}\n`;
  }
  emitted.messages = JSON.stringify(result.messages);
  emitted.status = JSON.stringify(host.status());
  const direct = await host.call("leaky", "refuse", { note: secret }).then(
    (done) => JSON.stringify(done),
    (error: unknown) => `${error}`,
  );
  emitted["direct call"] = direct;
  await host.close();
}, 30_000);
afterAll(() => rmSync(state, { recursive: true, force: true }));

test("a server that says its secret everywhere is heard, and its secret is in nothing that a host emits", () => {
  // Each of these came, so that each was looked at.
  expect(Object.keys(emitted)).toEqual(
    expect.arrayContaining([
      "event call_progress",
      "event server_log",
      "event elicitation_requested",
      "event call_completed",
      "event results_returned",
      "questions",
      "status",
      "direct call",
    ]),
  );
  expect(emitted.messages).toContain("⟨secret leaky LEAK_TOKEN");
  expect(leaks(emitted)).toEqual({});
});

test("nothing in the state folder holds the secret: no record, no journal, no list, no grant", () => {
  const files = filesIn(state);
  expect(Object.keys(files).some((name) => name.startsWith("audit/"))).toBe(true);
  expect(Object.keys(files).some((name) => name.startsWith("runs/"))).toBe(true);
  expect(leaks(files)).toEqual({});
});

test("a secret that the model itself writes into a call is in no event, no question and no record of it", async () => {
  const own = mkdtempSync(join(tmpdir(), "secrets-arguments-"));
  const bytes = Buffer.from(secret);
  const encoded = (["base64", "base64url", "hex"] as const).map((encoding) => bytes.toString(encoding));
  const text = [secret, encodeURIComponent(secret), ...encoded].join(" ");
  const seen: Record<string, string> = {};
  {
    await using host = createHost({
      servers,
      model: scriptedModel([
        { calls: [{ name: "leaky__refuse", input: { note: text, [secret]: 1 } }] },
        { text: "done" },
      ]),
      state: own,
      // What the model wrote stands in a stored conversation as it was.
      store: false,
      approve(request) {
        for (const question of request.questions) {
          seen.question = renderQuestion(question, { redact: request.redact }).join("\n");
          request.answer(question.id, { type: "allow", scope: "always" });
        }
      },
    });
    for await (const event of host.run("go")) {
      // The model's own words, as the transcript keeps them.
      if (["tool_input_delta", "message_completed", "run_completed"].includes(event.type)) continue;
      seen[event.type] = `${seen[event.type] ?? ""}${JSON.stringify(event)}`;
    }
  }
  const files = filesIn(own);
  rmSync(own, { recursive: true });
  expect(seen.question).toContain("⟨secret");
  expect(leaks({ ...seen, ...files })).toEqual({});
});

test("what an HTTP server or a model's API says back of headers, an address and a key is in nothing", async () => {
  const own = mkdtempSync(join(tmpdir(), "secrets-http-"));
  const echo = createServer((request, response) => {
    const said = JSON.stringify({ error: { message: `${request.url} ${JSON.stringify(request.headers)}` } });
    response.writeHead(400, { "content-type": "application/json" }).end(said);
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const { port } = echo.address() as AddressInfo;
  const key = "header-safe~4711-geheim";
  vi.stubEnv("ANTHROPIC_API_KEY", key);
  const seen: Record<string, string> = {};
  {
    await using host = createHost({
      servers: {
        remote: {
          url: `http://127.0.0.1:${port}/mcp?token=${key}`,
          headers: { Authorization: `Bearer ${key}` },
          required: false,
        },
      },
      model: "claude-opus-5",
      baseUrl: `http://127.0.0.1:${port}`,
      state: own,
    });
    const run = host.run("go");
    for await (const event of run) seen[event.type] = `${seen[event.type] ?? ""}${JSON.stringify(event)}`;
    seen.result = JSON.stringify(await run.result);
    seen.status = JSON.stringify(host.status());
  }
  echo.close();
  const texts = { ...seen, ...filesIn(own) };
  rmSync(own, { recursive: true });
  expect(seen.result).toContain("Bearer ⟨key⟩");
  const encoded = [key, Buffer.from(key).toString("base64"), Buffer.from(key).toString("hex")];
  const found = Object.entries(texts).filter(([, text]) => encoded.some((form) => text.includes(form)));
  expect(found.map(([name]) => name)).toEqual([]);
});

test("no command prints the secret of a server of the config", async () => {
  const home = homeFolder();
  mkdirSync(join(home, "config"), { recursive: true });
  writeFileSync(join(home, "config/drawbridge.json"), JSON.stringify({ mcpServers: servers }));
  const printed: Record<string, string> = {};
  const print = async (...command: string[]) => {
    const { stdout, stderr } = await drawbridge(command, home);
    printed[command.join(" ")] = `${stdout}\n${stderr}`;
  };
  await Promise.all([
    print("tools"),
    print("tools", "--json"),
    print("call", "leaky", "leak", "--json"),
    print("call", "leaky", "die"),
    print("doctor"),
    print("config", "--json"),
  ]);
  await print("audit", "export");
  for (const text of Object.values(printed)) expect(text.trim()).not.toBe("");
  expect(leaks(printed)).toEqual({});
  expect(leaks(filesIn(join(home, "state")))).toEqual({});
}, 30_000);
