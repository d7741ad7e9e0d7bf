import { afterEach, expect, test, vi } from "vitest";
import { createHost } from "../../../src/host.ts";
import { fakeServer, textTool } from "../../../src/testing/fake-server.ts";
import { closeAll, says, startModel } from "./start.ts";

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeAll();
});

const quiet = { state: false, audit: false } as const;

test("a model of OpenAI is found by either name of its API, and a whole run works with it", async () => {
  for (const api of ["openai", "openai-responses"]) {
    const { simulator } = await startModel({
      turns: [
        {
          output: [
            { type: "reasoning" },
            { type: "function_call", name: "files__echo", arguments: { text: "hello" } },
          ],
        },
        { output: [says("It said hello.")] },
      ],
    });
    vi.stubEnv("OPENAI_BASE_URL", `${simulator.url}/v1`);
    vi.stubEnv("OPENAI_API_KEY", "sk-test-0123456789");
    const server = fakeServer([textTool("echo", ({ text }) => String(text))]);
    await using host = createHost({
      ...quiet,
      servers: { files: server.config },
      model: `${api}/gpt-5.6-terra`,
      policy: { rules: ["allow files/*"] },
    });
    const result = await host.run("say hello").result;
    expect(result).toMatchObject({ stop: { type: "answered" }, text: "It said hello.", calls: 1 });
    simulator.assertDone();
    expect(simulator.requests[0]?.body.model).toBe("gpt-5.6-terra");
    expect(simulator.requests[0]?.headers.authorization).toBe("present");
  }
});

test("no variable of OpenAI's own package but the key and the base URL changes a request", async () => {
  const { simulator } = await startModel({ turns: () => ({ output: [says("fine")] }) });
  vi.stubEnv("OPENAI_API_KEY", "sk-test-0123456789");
  vi.stubEnv("OPENAI_BASE_URL", `${simulator.url}/v1`);
  const ask = async (): Promise<void> => {
    await using host = createHost({ ...quiet, servers: {}, model: "openai/gpt-5" });
    expect((await host.run("hi").result).text).toBe("fine");
  };
  await ask();
  for (const name of [
    "OPENAI_ORG_ID",
    "OPENAI_PROJECT_ID",
    "OPENAI_WEBHOOK_SECRET",
    "OPENAI_CUSTOM_HEADERS",
    "OPENAI_ADMIN_KEY",
    "OPENAI_LOG",
  ]) {
    vi.stubEnv(name, "x-other: 1");
  }
  await ask();
  const [plain, changed] = simulator.requests.map(({ text, headers: { host: _, ...headers } }) => ({
    text,
    headers,
  }));
  expect(changed).toEqual(plain);
});

test("the options' base URL is the model's own, and a missing key names its variable", async () => {
  const { simulator } = await startModel({ turns: [{ output: [says("fine")] }] });
  vi.stubEnv("OPENAI_API_KEY", "sk-test-0123456789");
  vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
  await using host = createHost({
    ...quiet,
    servers: {},
    model: "openai/gpt-5",
    baseUrl: `${simulator.url}/v1`,
  });
  expect((await host.run("hi").result).text).toBe("fine");
  vi.stubEnv("OPENAI_API_KEY", "");
  expect(() => createHost({ ...quiet, servers: {}, model: "openai/gpt-5" })).toThrow("set OPENAI_API_KEY");
});
