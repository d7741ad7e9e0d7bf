import { expect, test } from "vitest";
import {
  type AnthropicSimulator,
  type SimulatedStep,
  startAnthropicSimulator,
} from "../../src/testing/index.ts";
import { type Finished, homeFolder, processesOf } from "../cli/command.ts";
import { drawbridge, mainQuestion, runProgram, servers } from "./command.ts";

const home = homeFolder();
const key = "sk-ant-a-key-that-is-never-printed";
const question = [mainQuestion, "--server", servers.workspace, "--trust", "workspace"];
const answer = "Two of them: src/todo-store.ts:28 and src/server/routes.ts:11.";

/** What a model does with the main question: one search, two files at once, the answer. */
const mainJob: readonly SimulatedStep[] = [
  {
    content: [
      { type: "text", text: "I search for them." },
      { type: "tool_use", name: "workspace__search_code", input: { pattern: "TODO" } },
    ],
  },
  {
    content: ["src/todo-store.ts", "src/server/routes.ts"].map((path) => ({
      type: "tool_use",
      name: "workspace__read_file",
      input: { path },
    })),
  },
  { content: [{ type: "text", text: answer }] },
];

interface Asked extends Finished {
  readonly simulator: AnthropicSimulator;
}

/** Runs words of the command, or a whole program, with a simulated API behind the variables that a person sets. */
async function askApi(
  turns: readonly SimulatedStep[],
  run: (env: Record<string, string>) => Promise<Finished>,
): Promise<Asked> {
  const simulator = await startAnthropicSimulator({ turns });
  const finished = await run({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: simulator.url });
  await simulator.close();
  expect(finished.stdout + finished.stderr).not.toContain(key);
  expect(processesOf(home)).toEqual([]);
  return { ...finished, simulator };
}

const asked = (turns: readonly SimulatedStep[], ...more: string[]) =>
  askApi(turns, (env) => drawbridge([...question, ...more], { home, env }));

test.each([
  ["the command", (env: Record<string, string>) => drawbridge(question, { home, env })],
  ["npm start", (env: Record<string, string>) => runProgram(["npm", "start"], { home, env })],
])("%s does the main job with a model of the Messages API", async (_name, run) => {
  const { code, stdout, stderr, simulator } = await askApi(mainJob, run);
  expect(stdout).toContain(answer);
  expect(stderr).toContain("  model anthropic/claude-opus-5");
  expect(stderr.match(/✓ workspace\/read_file/g)).toHaveLength(2);
  expect(code).toBe(0);
  simulator.assertDone();
  expect(simulator.requests.map((request) => request.status)).toEqual([200, 200, 200]);
  const last = JSON.stringify(simulator.requests.at(-1)?.body.messages);
  expect(last).toContain("src/todo-store.ts:28");
});

test("a key that the API refuses is told once, by the name of its variable", async () => {
  const { code, stdout, stderr, simulator } = await asked([{ fault: { type: "unauthorized" } }]);
  expect(stderr).toMatch(/^Failed: .*Check ANTHROPIC_API_KEY\.$/m);
  expect(stdout).toBe("");
  expect(code).toBe(1);
  simulator.assertDone();
});

test.each([
  ["answers with a page", 200],
  ["forbids with a page", 403],
  ["does not know the path", 404],
])("a base URL that %s is told as one that is wrong", async (_name, status) => {
  const { code, stdout, stderr, simulator } = await asked([{ fault: { type: "html", status } }]);
  expect(stderr).toMatch(/^Failed: .*base URL.*$/im);
  expect(stderr).not.toMatch(/<html>|ANTHROPIC_API_KEY/);
  expect(stdout).toBe("");
  expect(code).toBe(1);
  simulator.assertDone();
});

test("a model that the API does not know is named, as a mistake on the command line", async () => {
  const unknown = {
    type: "refused",
    status: 404,
    kind: "not_found_error",
    message: "model: claude-nope",
  } as const;
  const { code, stderr } = await asked([{ fault: unknown }], "--model", "claude-nope");
  expect(stderr).toMatch(/^Failed: .*claude-nope/m);
  expect(code).toBe(2);
});

test("an API that cannot be reached is tried again for some seconds, and each try is told", async () => {
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };
  const { code, stdout, stderr } = await drawbridge(question, { home, env });
  expect(stderr.match(/^! asking the model again in .*127\.0\.0\.1:1 cannot be reached/gm)).toHaveLength(4);
  expect(stderr).toMatch(/^Failed: 127\.0\.0\.1:1 cannot be reached/m);
  expect(stdout).toBe("");
  expect(code).toBe(1);
});

test.each([
  ["ANTHROPIC_BASE_URL", "no address"],
  ["ANTHROPIC_API_KEY", "\u201csk-ant-12345678\u201d"],
])("%s that can never work is one line before anything starts", async (variable, value) => {
  const env = { ANTHROPIC_API_KEY: key, [variable]: value };
  const { code, stdout, stderr } = await drawbridge(question, { home, env });
  expect(stderr).toMatch(new RegExp(`^drawbridge: ${variable} [^\\n]+\\n$`));
  expect(stderr).not.toContain(value);
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

test("the limit of turns ends a model that goes on calling with exit code 5", async () => {
  const { code, stderr, simulator } = await asked(mainJob.slice(0, 1), "--max-turns", "1");
  expect(stderr).toContain("Stopped at the limit of 1 turn");
  expect(code).toBe(5);
  simulator.assertDone();
});
