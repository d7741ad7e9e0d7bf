import { afterEach, expect, test, vi } from "vitest";
import { createHost } from "../../../src/host.ts";
import { fakeServer, textTool } from "../../../src/testing/fake-server.ts";
import type { SimulatedChatStep } from "../../../src/testing/openai-chat/turns.ts";
import { closeAll, startChat } from "./start.ts";

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeAll();
});

const quiet = { state: false, audit: false } as const;

test("a local server is found by its variable, asked without a key, and a whole run works with it", async () => {
  const turns: SimulatedChatStep[] = [
    { tool_calls: [{ name: "files__echo", arguments: { text: "hello" } }], finish_reason: "stop" },
    { content: "It said hello." },
  ];
  const { simulator } = await startChat("ollama", { turns });
  vi.stubEnv("OLLAMA_BASE_URL", `${simulator.url}/v1`);
  vi.stubEnv("OPENAI_API_KEY", "sk-not-for-this-server");
  const server = fakeServer([textTool("echo", ({ text }) => String(text))]);
  await using host = createHost({
    ...quiet,
    servers: { files: server.config },
    model: "ollama/qwen3:8b",
    policy: { rules: ["allow files/*"] },
  });
  const result = await host.run("say hello").result;
  expect(result).toMatchObject({ stop: { type: "answered" }, text: "It said hello.", calls: 1 });
  simulator.assertDone();
  expect(simulator.requests[0]?.body.model).toBe("qwen3:8b");
  expect(simulator.requests[0]?.headers.authorization).toBeUndefined();
});

test("no variable of OpenAI's own package but the key and the base URL changes a request", async () => {
  const { simulator } = await startChat("openai-chat", { turns: () => ({ content: "fine" }) });
  vi.stubEnv("OPENAI_API_KEY", "sk-test-0123456789");
  vi.stubEnv("OPENAI_BASE_URL", `${simulator.url}/v1`);
  const ask = async (): Promise<void> => {
    await using host = createHost({ ...quiet, servers: {}, model: "openai-chat/gpt-5" });
    expect((await host.run("hi").result).text).toBe("fine");
  };
  await ask();
  for (const name of [
    "OPENAI_ORG_ID",
    "OPENAI_PROJECT_ID",
    "OPENAI_WEBHOOK_SECRET",
    "OPENAI_CUSTOM_HEADERS",
  ]) {
    vi.stubEnv(name, "x-other: 1");
  }
  vi.stubEnv("OPENAI_ADMIN_KEY", "sk-admin");
  vi.stubEnv("OPENAI_LOG", "debug");
  await ask();
  const [plain, changed] = simulator.requests.map(({ text, headers: { host: _, ...headers } }) => ({
    text,
    headers,
  }));
  expect(changed).toEqual(plain);
});

test("a model without its key says which variable, and a key that cannot be one is refused by its name", () => {
  vi.stubEnv("MISTRAL_API_KEY", "");
  const make = (model: string) => () => createHost({ ...quiet, servers: {}, model });
  expect(make("mistral/mistral-large-latest")).toThrow("set MISTRAL_API_KEY");
  vi.stubEnv("MISTRAL_API_KEY", "“curly”");
  expect(make("mistral/mistral-large-latest")).toThrow("MISTRAL_API_KEY holds a character that no key has");
});
