import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ScriptedStep } from "../../../src/testing/index.ts";
import type { RunEvent } from "../../../src/types/events.ts";
import { logFile, toldServer, until } from "../../fixtures/connections/connect.ts";
import { runScript } from "../../support/run-host.ts";

const tool = (name: string) => ({ name, inputSchema: { type: "object" } });
const ran = { jsonrpc: "2.0", id: "$id", result: { content: [{ type: "text", text: "ran" }] } };

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "known-run-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const typesOf = (events: readonly RunEvent[]) =>
  events.map((event) => (event.type === "server_status" ? event.state : event.type));

test("the next run asks the model before the server is up; what it has more then is there with the next turn", async () => {
  const state = stateFolder();
  const log = logFile();
  const { config, tell } = toldServer({ tools: [tool("t")] });
  const servers = { s: { config } };
  await runScript([{ text: "done" }], { servers, state });
  tell({ tools: [tool("t"), tool("u")], replies: { t: ran }, delayMs: 300, log: log.path });
  const first: ScriptedStep = () => {
    expect(log.lines().filter((line) => line !== "start")).toEqual([]);
    return { calls: [{ name: "s__t" }] };
  };
  const { events, model, results } = await runScript([first, { text: "done" }], { servers, state });
  expect(results(0)).toMatchObject([{ isError: false, content: [{ text: "ran" }] }]);
  const order = typesOf(events);
  expect(order.indexOf("call_proposed")).toBeLessThan(order.indexOf("ready"));
  expect(order.indexOf("tools_changed")).toBeGreaterThan(order.indexOf("results_returned"));
  const offered = model.requests.map(({ tools }) => tools.map(({ route }) => route.tool));
  expect(offered).toEqual([
    ["read_output", "t"],
    ["read_output", "t", "u"],
  ]);
});

test("a required server that does not start after all ends the run at the next turn, its calls answered with errors", async () => {
  const state = stateFolder();
  const { config, tell } = toldServer({ tools: [tool("t")] });
  const servers = { s: { config } };
  await runScript([{ text: "done" }], { servers, state });
  const asked = join(state, "asked");
  tell({ exitAtStart: 7, exitAfter: asked, stderr: "no licence" });
  const first: ScriptedStep = () => {
    writeFileSync(asked, "");
    return { calls: [{ name: "s__t" }] };
  };
  const { result, results } = await runScript([first], { servers, state });
  expect(results(0)).toMatchObject([{ isError: true }]);
  expect(result.stop).toMatchObject({ type: "failed", error: { code: "server_exited" } });
  expect(result.stop.type === "failed" && result.stop.error.message).toContain("no licence");
});

test("a host that keeps nothing remembers no tools", async () => {
  const { config, tell } = toldServer({ tools: [tool("t")] });
  const servers = { s: { config } };
  const log = logFile();
  await runScript([{ text: "done" }], { servers });
  tell({ tools: [tool("t")], log: log.path });
  const step: ScriptedStep = () => {
    expect(log.lines()).toContain("tools/list");
    return { text: "done" };
  };
  expect((await runScript([step], { servers })).result.stop).toEqual({ type: "answered" });
});

test("nothing of a server is kept when its tools were never read", async () => {
  const state = stateFolder();
  const { config } = toldServer({ exitAtStart: 1 });
  await runScript([], { servers: { s: { config } }, state });
  expect(existsSync(join(state, "known"))).toBe(false);
});

test("a server that only helps joins a run that has begun", async () => {
  const { config } = toldServer({ tools: [tool("late")], delayMs: 1_500 });
  const log = logFile();
  const other = toldServer({ tools: [tool("t")], replies: { t: ran }, log: log.path });
  const events: RunEvent[] = [];
  const wait: ScriptedStep = async () => {
    await until(() => typesOf(events).filter((type) => type === "ready").length === 2);
    return { calls: [{ name: "other__t" }] };
  };
  const { model } = await runScript([wait, { text: "done" }], {
    servers: { late: { config: { ...config, required: false } }, other },
    onEvent: (event) => events.push(event),
  });
  const offered = model.requests.map(({ tools }) => tools.map(({ route }) => route.tool));
  expect(offered).toEqual([
    ["read_output", "t"],
    ["read_output", "t", "late"],
  ]);
});
