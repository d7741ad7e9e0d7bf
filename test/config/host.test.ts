import { afterEach, expect, test, vi } from "vitest";
import { hostOptions } from "../../src/host/host-options.ts";
import { createHost } from "../../src/host.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { HostOptions, ServerConfig } from "../../src/types/config.ts";
import type { LoadedConfig } from "../../src/types/settings.ts";
import { testProject } from "./project.ts";

afterEach(() => void vi.unstubAllEnvs());

const inMemory = { state: false, audit: false } as const;
const toolsNamed = (...names: string[]) => fakeServer(names.map((name) => textTool(name, () => name)));

/** What the only call of a run is answered with. */
async function answerTo(call: string, options: Omit<HostOptions, "model">): Promise<string> {
  const model = scriptedModel([{ calls: [{ name: call }] }, { text: "done" }]);
  await using host = createHost({ ...options, ...inMemory, model });
  await host.run("go").result;
  const block = model.requests[1]?.messages.at(-1)?.content[0];
  return JSON.stringify(block);
}

test.each([
  [["read_*"], ["read_a", "read_b"]],
  [["!read_b"], ["read_a", "write"]],
  [["read_*", "!*_b"], ["read_a"]],
  [
    ["write", "read_a"],
    ["read_a", "write"],
  ],
  [["*"], ["read_a", "read_b", "write"]],
  [["READ_A", "read"], []],
  [[], []],
])("of the tools a config with %j offers %j, and says of the others why not", async (tools, offered) => {
  const server = toolsNamed("read_a", "read_b", "write");
  await using host = createHost({ servers: { s: { ...server.config, tools } }, ...inMemory });
  const snapshot = await host.tools();
  const names = snapshot.tools.filter(({ route }) => route.server === "s").map(({ route }) => route.tool);
  expect(names).toEqual(offered);
  expect(snapshot.quarantined.every(({ reason }) => reason === "left out by the config")).toBe(true);
  expect(names.length + snapshot.quarantined.length).toBe(3);
});

test("a tool that the config leaves out cannot be called", async () => {
  const server = toolsNamed("kept", "gone");
  const config = { ...server.config, tools: ["kept"] };
  const policy = { rules: ["allow */*"] };
  expect(await answerTo("s__gone", { servers: { s: config }, policy })).toContain('"isError":true');
  expect(server.calls).toEqual([]);
  await using host = createHost({
    servers: { s: { ...toolsNamed("gone").config, tools: ["!gone"] } },
    ...inMemory,
  });
  await expect(host.call("s", "gone")).rejects.toThrow(
    "The tool s/gone is kept back: left out by the config.",
  );
});

test("rules of a project make a decision stricter, and cannot allow", async () => {
  const rules = ["allow s/*"];
  const server = toolsNamed("t");
  const servers = { s: server.config };
  expect(await answerTo("s__t", { servers, policy: { rules } })).toContain('"isError":false');
  const again = { s: toolsNamed("t").config };
  expect(await answerTo("s__t", { servers: again, policy: { rules, projectRules: ["deny s/t"] } })).toContain(
    "Denied",
  );
  expect(() => createHost({ servers: {}, ...inMemory, policy: { projectRules: ["allow s/t"] } })).toThrow(
    expect.objectContaining({ code: "config_invalid" }),
  );
});

test("a disabled server is not started", async () => {
  const server = toolsNamed("t");
  await using host = createHost({ servers: { s: { ...server.config, disabled: true } }, ...inMemory });
  expect((await host.tools()).tools.filter(({ route }) => route.server === "s")).toEqual([]);
  expect([host.status(), server.lists()]).toEqual([[], 0]);
});

test("a server's own time is the limit of its calls", async () => {
  const hanging = fakeServer([textTool("t", () => new Promise(() => {}))]);
  const servers = { s: { ...hanging.config, timeout: 50 } };
  expect(await answerTo("s__t", { servers, policy: { rules: ["allow s/*"] } })).toContain(
    "not done after 0.05 s",
  );
  expect(hanging.cancelled).toEqual(["t"]);
});

test("the secrets that a config names are never shown", async () => {
  const servers = { s: { ...toolsNamed("t").config, secrets: [{ name: "PIN", value: "0123456789" }] } };
  await using host = createHost({ servers, ...inMemory });
  expect(host.redact("pin 0123456789")).toBe("pin ⟨secret s PIN, 10 chars⟩");
});

test("a base URL that cannot work is refused by its own name", () => {
  vi.stubEnv("ANTHROPIC_API_KEY", "key");
  const options = { servers: {}, ...inMemory, model: "claude-opus-5", baseUrl: "ftp://x" };
  expect(() => createHost(options)).toThrow(
    /^`baseUrl` must be an address that begins with http: or https:\.$/,
  );
});

test.each<readonly [object, string]>([
  [{ timeout: 0 }, "timeout is not a number of milliseconds"],
  [{ timeout: "1" }, "timeout is not a number of milliseconds"],
  [{ tools: "x" }, "tools is not a list of strings"],
  [{ disabled: "yes" }, "disabled is neither true nor false"],
  [{ required: 0 }, "required is neither true nor false"],
  [{ protocol: "new" }, "protocol is not one of"],
  [{ secrets: [{ name: "x" }] }, "secrets is not a list"],
])("a program's server with %j is refused in words", (settings, problem) => {
  const servers = { a: { command: "x", ...settings } as ServerConfig };
  expect(() => createHost({ servers, ...inMemory })).toThrow(problem);
});

test("options of a host leave out what is disabled, pending, or broken and not required", async () => {
  const project = testProject();
  project.write(".mcp.json", { mcpServers: { pending: { command: "x" } } });
  project.writeUser({
    model: "offline",
    system: "s",
    limits: { turns: 3 },
    trust: ["ready", "pending", "unknown"],
    resourceTools: true,
    policy: { rules: ["ask */*", "deny pending/*", "deny unknown/*"] },
    mcpServers: {
      ready: { command: "x" },
      off: { command: "x", disabled: true },
      broken: { command: "${DB_TEST_NONE}", required: false },
    },
  });
  const loaded = await project.load();
  const options = hostOptions(loaded);
  expect(Object.keys(options.servers)).toEqual(["ready"]);
  expect(options).toMatchObject({
    model: "offline",
    system: "s",
    resourceTools: true,
    limits: { turns: 3 },
    policy: { rules: ["ask */*", "deny unknown/*"], projectRules: [], trust: ["ready", "unknown"] },
  });
  expect("maxTokens" in options || "baseUrl" in options).toBe(false);
  await using host = createHost({ ...options, servers: {}, ...inMemory });
  expect(host.model.offline).toBe(true);
  const required: LoadedConfig = {
    ...loaded,
    servers: loaded.servers.map((server) => ({ ...server, config: { ...server.config, required: true } })),
  };
  expect(() => hostOptions(required)).toThrow("DB_TEST_NONE");
});

test("a price of the person's file makes the cost of a model known, whole with what is cached and what is long", async () => {
  const project = testProject();
  const long = { input: 6, output: 20, overTokens: 200_000 };
  project.writeUser({ prices: { "scripted/scripted": { input: 3, output: 15, cacheRead: 0.3, long } } });
  const loaded = await project.load();
  expect(loaded.prices?.["scripted/scripted"]?.origin).toMatchObject({ type: "user", line: 1 });
  const { prices } = hostOptions(loaded);
  expect(prices).toEqual({ "scripted/scripted": { input: 3, output: 15, cacheRead: 0.3, long } });
});

test("the models of the person's file that are asked after a refusal are those of the host, in order", async () => {
  const project = testProject();
  project.writeUser({ fallbackModels: ["anthropic/a", "offline"] });
  const loaded = await project.load();
  expect(loaded.fallbackModels?.[1]?.origin).toMatchObject({ type: "user", line: 1 });
  expect(hostOptions(loaded).fallbackModels).toEqual(["anthropic/a", "offline"]);
  expect(hostOptions({ ...loaded, fallbackModels: [] })).not.toHaveProperty("fallbackModels");
});
