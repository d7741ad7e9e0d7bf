import { expect, test, vi } from "vitest";
import type { Seen } from "../src/testing/hostile/script.ts";
import type { HostOptions, Limits } from "../src/types/config.ts";
import type { RunEvent, RunResult } from "../src/types/events.ts";
import { anthropicApi } from "./support/case-apis/anthropic.ts";
import { allResults, type SeenResult } from "./support/case-apis/api.ts";
import { type CaseServer, lastTurn, startCase } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { itemsOf, membersOf } from "./support/members.ts";

/** What a case of a server led to. */
interface Facts {
  readonly one: Case;
  readonly result: RunResult;
  readonly results: readonly SeenResult[];
  readonly events: readonly RunEvent[];
  /** Raw names that the model was offered at last. */
  readonly tools: readonly string[];
  readonly seen: () => readonly Seen[];
}

const of = (seen: readonly Seen[], method: string) => seen.filter((one) => one.method === method);
const succeeds = ({ results }: Facts) => {
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter(({ isError }) => isError)).toEqual([]);
};

/** Whether the person was asked about the call with this number. */
const asked = ({ events }: Facts, number: number): "ask" | "allow" => {
  const calls = events.flatMap((event) => (event.type === "call_proposed" ? [event.callId] : []));
  const questions = events.flatMap((event) => (event.type === "approval_requested" ? event.callIds : []));
  return questions.includes(calls[number] ?? "") ? "ask" : "allow";
};

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const patience = { timeout: 10_000, interval: 20 };

const checks: Checks<Facts> = {
  tools: (wanted, { tools }) => expect(tools).toEqual(wanted),
  listRequestsAtMost: (wanted, { seen }) => {
    expect(of(seen(), "tools/list").length).toBeGreaterThan(0);
    expect(of(seen(), "tools/list").length).toBeLessThanOrEqual(Number(wanted));
  },
  text: (wanted, facts) => {
    succeeds(facts);
    expect(facts.results[0]?.text).toBe(wanted);
  },
  callSucceeds: (_, facts) => succeeds(facts),
  serverSaw: (wanted, { seen }) =>
    vi.waitFor(() => expect(of(seen(), String(wanted)).length).toBe(1), patience),
  reasonNotContains: (wanted, { seen }) => expect(JSON.stringify(seen())).not.toContain(wanted),
  // That the run ends at all is the point: the server never answers.
  errorWithin: (_, { result, one }) => {
    const aborted = one.abortAfterMs !== undefined;
    const timedOut = { type: "failed", error: { code: "server_start_timeout" } };
    expect(result.stop).toMatchObject(aborted ? { type: "aborted" } : timedOut);
  },
  processGone: async (_, { seen }) => {
    const pids = seen().flatMap(({ pid }) => pid ?? []);
    expect(pids.length).toBeGreaterThan(0);
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), patience);
  },
  // The server waits for the host's answer to its own request before it answers the call.
  answeredWithin: (_, { seen, results }) => {
    expect(
      seen().filter(({ kind, id }) => kind === "response" && String(id).startsWith("server-")).length,
    ).toBe(1);
    expect(results.length).toBe(1);
  },
  env: (wanted, { results }) => {
    const told = membersOf(JSON.parse(results[0]?.text ?? "null"));
    for (const [name, state] of Object.entries(membersOf(wanted))) {
      if (state === "set") expect(told[name]).not.toBe("unset");
      else expect(told[name]).toBe(state);
    }
  },
  initializeCount: (wanted, { seen }) => expect(of(seen(), "initialize").length).toBe(wanted),
  approvalAfterFirst: (wanted, facts) => expect(asked(facts, 1)).toBe(wanted),
  approvalAfterSecond: (wanted, facts) => expect(asked(facts, 2)).toBe(wanted),
  // The run begins without the server, which is not required and still starts.
  sessionReadyWithin: (_, { events }) => {
    const order = events.map((event) => (event.type === "server_status" ? event.state : event.type));
    expect(order.slice(0, order.indexOf("turn_started"))).toEqual([
      "run_started",
      "starting",
      "catalog_ready",
    ]);
  },
  toolAppearsWithin: (_, { tools, one }) => {
    const listed = itemsOf(membersOf(membersOf(membersOf(one.script)["tools/list"]).result).tools);
    expect(tools).toEqual(listed.map(({ name }) => name));
  },
  requestedScopes: (wanted, facts) => {
    succeeds(facts);
    expect(facts.seen().map(({ params }) => membersOf(params).scope)).toEqual(wanted);
  },
  authorizations: (wanted, { seen }) => expect(seen().length).toBe(wanted),
  argvReceived: (wanted, { seen }) => expect(seen()[0]?.argv).toEqual(wanted),
};

/** A list that changes is announced by the second call: the first ones are made with what was listed first. */
function announcing(one: Case): Case {
  const script = membersOf(one.script);
  const lists = itemsOf(membersOf(script["tools/list"]).results);
  if (lists.length < 2) return one;
  const announced = { notify: { method: "notifications/tools/list_changed" } };
  return { ...one, script: { "tools/call": { inTurn: [{}, announced, {}] }, ...script } };
}

/** What the model calls, turn by turn. */
function turnsOf(one: Case) {
  const { name, arguments: input } = membersOf(one.call);
  const call = { content: [{ type: "tool_use", name: `s__${name}`, input: input ?? {} }] };
  const lists = itemsOf(membersOf(membersOf(one.script)["tools/list"]).results);
  if (lists.length > 1) {
    const first = itemsOf(lists[0]?.tools)[0]?.name;
    return [1, 2, 3].map((number) => ({
      content: [{ type: "tool_use", name: `s__${first}`, input: { to: `${number}` } }],
    }));
  }
  const protectedTool = Object.keys(membersOf(one.perOperationScopes)).flatMap(
    (operation) => /^tools\/call:(.+)$/.exec(operation)?.[1] ?? [],
  );
  if (name === undefined)
    return protectedTool.map((tool) => ({ content: [{ type: "tool_use", name: `s__${tool}`, input: {} }] }));
  return [call];
}

function optionsOf(one: Case): Partial<HostOptions> {
  const timeout = membersOf(one.options).timeout;
  const limits: Partial<Limits> = {
    ...(typeof timeout === "number" ? { callIdleMs: timeout } : {}),
    ...(one.assert.errorWithin === "connectTimeout" ? { serverStartMs: 3000 } : {}),
  };
  if (one.assert.approvalAfterFirst === undefined) return { limits };
  return {
    limits,
    policy: {},
    approve(request) {
      for (const { id } of request.questions) request.answer(id, { type: "allow", scope: "conversation" });
    },
  };
}

/** The host's own environment, for as long as a case wants it so; `$NAME` is what is there. */
function hostEnvironment(wanted: unknown): Disposable {
  for (const [name, value] of Object.entries(membersOf(wanted))) {
    if (!String(value).startsWith("$")) vi.stubEnv(name, String(value));
  }
  return { [Symbol.dispose]: () => void vi.unstubAllEnvs() };
}

async function run(one: Case, server: CaseServer): Promise<void> {
  using _ = hostEnvironment(one.hostEnv);
  await using simulated = await anthropicApi.start({ turns: [...turnsOf(one), lastTurn] });
  const model = simulated.modelNamed(anthropicApi.models[0]);
  await using started = await startCase({ s: server }, model, optionsOf(one));
  const abort = new AbortController();
  const run = started.host.run("go on", { signal: abort.signal });
  const events: RunEvent[] = [];
  for await (const event of run) {
    events.push(event);
    if (event.type === "call_started" && typeof one.abortAfterMs === "number") {
      setTimeout(() => abort.abort(new Error("a secret reason")), one.abortAfterMs);
    }
  }
  const result = await run.result;
  if (one.assert.errorWithin === undefined) expect(result.stop).toEqual({ type: "answered" });
  const failed = result.stop.type === "failed";
  const tools = failed ? [] : (await started.host.tools()).tools.filter(({ route }) => route.server === "s");
  await check(one, checks, {
    one,
    result,
    events,
    results: allResults(simulated),
    tools: tools.map(({ route }) => route.tool),
    seen: () => started.seen("s"),
  });
}

function started(one: Case): Promise<void> {
  const config = one.assert.sessionReadyWithin === undefined ? {} : { required: false };
  return run(one, { plays: announcing(one), config });
}

const servers = runnable("server").map((one) => [one.id, one.kind, one] as const);
// Alone run those that change the environment of this process or whose limits are short.
const isAlone = (one: Case) => one.hostEnv !== undefined || one.options !== undefined;
const [alone, together] = [true, false].map((wanted) =>
  servers.filter(([, , one]) => isAlone(one) === wanted),
);
test.concurrent.each(together ?? [])("%s %s", (_id, _kind, one) => started(one));
test.each(alone ?? [])("%s %s", (_id, _kind, one) => started(one));

test.each(runnable("config").map((one) => [one.id, one.kind, one] as const))("%s %s", (_id, _kind, one) => {
  const received = one.assert.argvReceived as string[];
  const args = (membersOf(one.config).args as string[]).filter((word) => received.includes(word));
  return run(one, { plays: { type: "server" }, args });
});
