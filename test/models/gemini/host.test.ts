import { afterEach, expect, test, vi } from "vitest";
import { geminiSettings } from "../../../src/config/gemini.ts";
import { createHost } from "../../../src/host.ts";
import { fakeServer, textTool } from "../../../src/testing/fake-server.ts";
import { closeAll, startModel } from "./start.ts";

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeAll();
});

const quiet = { state: false, audit: false } as const;

test("a whole run works with gemini/NAME, its key and its base URL", async () => {
  const { simulator } = await startModel({
    turns: [
      { parts: [{ functionCall: { name: "files__echo", args: { text: "hello" } } }] },
      { parts: [{ text: "It said hello." }] },
    ],
  });
  vi.stubEnv("GEMINI_API_KEY", "AIza-test-0123456789");
  vi.stubEnv("GEMINI_BASE_URL", simulator.url);
  const server = fakeServer([textTool("echo", ({ text }) => String(text))]);
  await using host = createHost({
    ...quiet,
    servers: { files: server.config },
    model: "gemini/gemini-3-pro",
    policy: { rules: ["allow files/*"] },
  });
  const result = await host.run("say hello").result;
  expect(result).toMatchObject({ stop: { type: "answered" }, text: "It said hello.", calls: 1 });
  simulator.assertDone();
});

test("no variable of Google's own package but the key changes a request", async () => {
  const { simulator } = await startModel({ turns: () => ({ parts: [{ text: "fine" }] }) });
  vi.stubEnv("GEMINI_API_KEY", "AIza-test-0123456789");
  const ask = async (): Promise<void> => {
    const baseUrl = simulator.url;
    await using host = createHost({ ...quiet, servers: {}, model: "gemini/gemini-3-pro", baseUrl });
    expect((await host.run("hi").result).text).toBe("fine");
  };
  await ask();
  vi.stubEnv("GOOGLE_API_KEY", "AIza-other");
  vi.stubEnv("GOOGLE_GENAI_USE_ENTERPRISE", "true");
  vi.stubEnv("GOOGLE_GENAI_USE_VERTEXAI", "true");
  for (const name of [
    ...["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_VERTEX_BASE_URL"],
    ...["GOOGLE_GEMINI_BASE_URL", "GOOGLE_APPLICATION_CREDENTIALS"],
  ]) {
    vi.stubEnv(name, "http://127.0.0.1:9");
  }
  await ask();
  const [plain, changed] = simulator.requests.map(({ text, path, headers: { host: _, ...headers } }) => ({
    text,
    path,
    headers,
  }));
  expect(changed).toEqual(plain);
});

test("the key may be in either of Google's variables, and a refused one is told by the one it is from", async () => {
  expect(geminiSettings({ GOOGLE_API_KEY: " a ", GEMINI_API_KEY: "" })).toEqual({
    apiKey: "a",
    keyVariable: "GOOGLE_API_KEY",
  });
  expect(geminiSettings({ GOOGLE_API_KEY: "a", GEMINI_API_KEY: "b" })).toMatchObject({ apiKey: "b" });
  vi.stubEnv("GEMINI_API_KEY", "");
  vi.stubEnv("GOOGLE_API_KEY", "");
  const make = (): unknown => createHost({ ...quiet, servers: {}, model: "gemini/gemini-3-pro" });
  expect(make).toThrow("set GEMINI_API_KEY");
  const { simulator } = await startModel({ turns: [{ fault: { type: "unauthorized" } }] });
  vi.stubEnv("GOOGLE_API_KEY", "AIza-test-0123456789");
  vi.stubEnv("GEMINI_BASE_URL", simulator.url);
  await using host = createHost({ ...quiet, servers: {}, model: "gemini/gemini-3-pro" });
  const { stop } = await host.run("hi").result;
  expect(stop).toMatchObject({
    type: "failed",
    error: { code: "model_auth", message: expect.stringContaining("Check GOOGLE_API_KEY.") },
  });
});
